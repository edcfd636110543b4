import { execFileSync } from "node:child_process";
import { afterAll, describe, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { knownGaps, refuseUnsteadyGaps } from "../jupyter/ipykernel-gaps.ts";
import { describeKernel, type Part } from "../kernel-contract.ts";
import { KernelReserve, startZmq } from "./start-zmq.ts";

/** The contract on the ipykernel of an environment, over ZeroMQ. */
export function describeZmq(name: "main" | "ipykernel6", parts: readonly Part[]): void {
  const found = environment(name);
  if ("missing" in found) {
    describe(`ipykernel of the environment "${name}"`, () => test.skip(found.missing, () => undefined));
    return;
  }
  const { python } = found;
  const ask = "import ipykernel, platform; print(ipykernel.__version__, platform.python_version())";
  const [ipykernel, version = ""] = execFileSync(python, ["-c", ask], { encoding: "utf8" }).trim().split(" ");
  const reserve = new KernelReserve(() => startZmq(python));
  afterAll(() => reserve.close());

  describeKernel(
    `ipykernel ${ipykernel} over ZeroMQ`,
    (choices) => {
      refuseUnsteadyGaps();
      return choices.interruptGraceMs === undefined ? reserve.take(choices) : startZmq(python, choices);
    },
    {
      python: { version, packages: name === "main" ? ["matplotlib", "numpy", "pandas"] : [] },
      known: knownGaps(),
      parts,
    },
  );
}
