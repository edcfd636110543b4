import { afterAll } from "vitest";
import { knownGaps, refuseUnsteadyGaps } from "../jupyter/ipykernel-gaps.ts";
import { describeKernel } from "../kernel-contract.ts";
import { KernelReserve } from "../zmq/start-zmq.ts";
import { contractParts, versionOf } from "./contract-parts.ts";
import { describeWithJupyter } from "./jupyter-python.ts";
import { GatewayHome } from "./start-gateway-kernel.ts";

describeWithJupyter("on this machine", (python) => {
  const home = new GatewayHome();
  const reserve = new KernelReserve(() => home.start(python));
  afterAll(async () => {
    await reserve.close();
    await home.close();
  });

  describeKernel(
    "the shared gateway",
    (choices) => {
      refuseUnsteadyGaps();
      return choices.interruptGraceMs === undefined ? reserve.take(choices) : home.start(python, choices);
    },
    {
      python: { version: versionOf(python), packages: ["matplotlib", "numpy", "pandas"] },
      parts: contractParts,
      known: knownGaps(),
    },
  );
});
