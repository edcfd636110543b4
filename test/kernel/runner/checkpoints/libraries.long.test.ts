import { environment, libraries } from "../../../environment/pythons.ts";
import { describeStates } from "./describe-states.ts";
import { packageStates, scientificStates, standardStates } from "./library-states.ts";

const main = environment("main");
if ("python" in main) describeStates("newest Python", main.python, { ...standardStates, ...packageStates });

const scientific = libraries();
if ("python" in scientific) describeStates("libraries of science", scientific.python, scientificStates);
