// A subset of the contract as Bun's own test runner runs it; bun.long.test.ts starts it.
import { bunParts } from "../jupyter/bun-parts.ts";
import { describeWithJupyter } from "./jupyter-python.ts";
import { describeShared } from "./shared/describe-shared.ts";

describeWithJupyter("on this machine", (python) => describeShared(python, bunParts));
