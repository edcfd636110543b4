import { environment, oldestPython } from "../../../environment/pythons.ts";
import { isLong } from "../../../environment/variants.ts";
import { describeStates } from "./describe-states.ts";
import { packageStates, standardStates } from "./library-states.ts";

describeStates(`states that a checkpoint keeps, Python ${oldestPython().version}`, oldestPython().path, standardStates);

const main = environment("main");
if ("python" in main) {
  const { pandas, tqdm } = packageStates;
  const states = isLong ? { ...standardStates, ...packageStates } : { pandas, tqdm };
  describeStates("states that a checkpoint keeps, newest Python", main.python, states as typeof packageStates);
}
