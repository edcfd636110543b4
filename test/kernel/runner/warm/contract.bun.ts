// The contract as Bun's own test runner runs it; bun.long.test.ts starts it.
import { newestPython } from "../../../environment/pythons.ts";
import { describeKernel } from "../../kernel-contract.ts";
import { warmStarter } from "./start-warm.ts";

const { path, version } = newestPython();
const starter = warmStarter(path);

describeKernel(`a forked runner on Bun and Python ${version}`, (choices) => starter.start(choices), {
  python: { version, packages: [] },
});
