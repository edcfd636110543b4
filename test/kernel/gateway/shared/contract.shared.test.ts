import { describeWithJupyter } from "../jupyter-python.ts";
import { describeShared } from "./describe-shared.ts";

describeWithJupyter("on this machine", (python) => describeShared(python));
