import { environment, newestPython } from "../../../environment/pythons.ts";
import { describeKernel, packagesOfMain } from "../../kernel-contract.ts";
import { startRunner } from "../start-runner.ts";
import { partsOfSpawned } from "./parts.ts";

const { version } = newestPython();
const withPackages = environment("main");
const [python, packages] =
  "python" in withPackages ? ([withPackages.python, packagesOfMain] as const) : ([newestPython().path, []] as const);

describeKernel(`the runner on Python ${version}`, (choices) => startRunner(python, choices), {
  python: { version, packages },
  parts: partsOfSpawned,
});
