import { describeIpykernel } from "../../jupyter/describe-ipykernel.ts";
import { type Part, packagesOfMain } from "../../kernel-contract.ts";
import { GatewayHome } from "../start-gateway-kernel.ts";

/** The contract on the gateway that is shared on this machine. */
export function describeShared(python: string, parts?: readonly Part[]): void {
  const home = new GatewayHome();
  describeIpykernel("the shared gateway", {
    python,
    packages: packagesOfMain,
    start: (choices) => home.start(python, choices),
    parts,
    close: () => home.close(),
  });
}
