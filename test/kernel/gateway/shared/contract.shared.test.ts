import { isLong } from "../../../environment/variants.ts";
import type { Part } from "../../kernel-contract.ts";
import { describeWithJupyter } from "../jupyter-python.ts";
import { describeShared } from "./describe-shared.ts";

/** What the gateway and its wire decide. The rest is ipykernel's, which `zmq/contract.test.ts` shows with less between. */
const ofTheGateway: readonly Part[] = ["life cycle", "output", "display", "input", "interrupts", "death", "completion"];

describeWithJupyter("on this machine", (python) => describeShared(python, isLong ? undefined : ofTheGateway));
