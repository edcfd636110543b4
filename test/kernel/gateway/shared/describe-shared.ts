import { describeIpykernel } from "../../jupyter/describe-ipykernel.ts";
import { type Part, packagesOfMain } from "../../kernel-contract.ts";
import { GatewayHome } from "../start-gateway-kernel.ts";

const shownByZmq = "`zmq/contract.test.ts` shows it on the same ipykernel, and a similar story stays";

/** Stories that end their kernel, whose next one takes half a second of processor time to start. */
const slow: Readonly<Record<string, string>> = {
  "a segmentation fault is reported with the line that caused it": shownByZmq,
  "SIGKILL from outside between cells is noticed": "`runtime/jupyter-sessions.test.ts` shows it on a gateway",
  "a kernel that dies while it is asked something fails the question": shownByZmq,
  "background output without a listener is kept": shownByZmq,
  "an aborted ping does not wait": shownByZmq,
  "after close every request is refused with a sentence": shownByZmq,
};

/** The contract on the gateway that is shared on this machine. */
export function describeShared(python: string, parts?: readonly Part[]): void {
  const home = new GatewayHome();
  describeIpykernel("the shared gateway", {
    python,
    packages: packagesOfMain,
    start: (choices) => home.start(python, choices),
    parts,
    slow,
    close: () => home.close(),
  });
}
