import { isLong } from "../../../environment/variants.ts";
import type { Part } from "../../kernel-contract.ts";
import { describeWithJupyter } from "../jupyter-python.ts";
import { describeShared } from "./describe-shared.ts";

/**
 * The part that depends on the gateway and its wire; "life cycle" and "input" interrupt through it. `zmq/contract.test.ts`
 * tests the rest of ipykernel more directly.
 */
const ofTheGateway: readonly Part[] = ["life cycle", "output", "display", "input", "death"];

describeWithJupyter("on this machine", (python) => describeShared(python, isLong ? undefined : ofTheGateway));
