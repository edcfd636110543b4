import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { describeKernel, packagesOfMain } from "../../kernel-contract.ts";
import { startRestored } from "./start-restored.ts";

const withPackages = environment("main");
const [newest, packages] =
  "python" in withPackages ? ([withPackages.python, packagesOfMain] as const) : ([newestPython().path, []] as const);

describeKernel(`a restored runner on Python ${newestPython().version}`, (choices) => startRestored(newest, choices), {
  python: { version: newestPython().version, packages },
});

describeKernel(
  `a restored runner on Python ${oldestPython().version}`,
  (choices) => startRestored(oldestPython().path, choices),
  { python: { version: oldestPython().version, packages: [] } },
);
