import { environment, newestPython } from "../../../environment/pythons.ts";
import { describeKernel, packagesOfMain } from "../../kernel-contract.ts";
import { shownOnTheOldest, slowOnce } from "../contract/parts.ts";
import { warmStarter } from "./start-warm.ts";

const { version } = newestPython();
const withPackages = environment("main");
const [python, packages] =
  "python" in withPackages ? ([withPackages.python, packagesOfMain] as const) : ([newestPython().path, []] as const);
const starter = warmStarter(python);

describeKernel(`a forked runner on Python ${version}`, (choices) => starter.start(choices), {
  python: { version, packages },
  slow: slowOnce,
  shownOn: version === shownOnTheOldest.python.version ? undefined : shownOnTheOldest,
});
