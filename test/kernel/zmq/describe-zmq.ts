import { execFileSync } from "node:child_process";
import { environment } from "../../environment/pythons.ts";
import { describe, test } from "../harness.ts";
import { describeIpykernel } from "../jupyter/describe-ipykernel.ts";
import { type Part, packagesOfMain } from "../kernel-contract.ts";
import { startZmq } from "./start-zmq.ts";

/** The contract on the ipykernel of an environment, over ZeroMQ. */
export function describeZmq(name: "main" | "ipykernel6", parts?: readonly Part[]): void {
  const found = environment(name);
  if ("missing" in found) {
    describe(`ipykernel of the environment "${name}"`, () => test.skip(found.missing, () => undefined));
    return;
  }
  const { python } = found;
  const ask = "from importlib.metadata import version; print(version('ipykernel'))";
  const version = execFileSync(python, ["-c", ask], { encoding: "utf8" }).trim();
  describeIpykernel(`ipykernel ${version} over ZeroMQ`, {
    python,
    packages: name === "main" ? packagesOfMain : [],
    start: (choices) => startZmq(python, choices),
    parts,
  });
}
