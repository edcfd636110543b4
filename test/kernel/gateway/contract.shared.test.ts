import { describeShared } from "./describe-shared.ts";
import { describeWithJupyter } from "./jupyter-python.ts";

describeWithJupyter("on this machine", (python) => describeShared(python));
