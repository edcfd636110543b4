import { oldestPython } from "../../../environment/pythons.ts";
import { describeKernel } from "../../kernel-contract.ts";
import { startRunner } from "../start-runner.ts";

const { path, version } = oldestPython();

describeKernel(`the runner on Python ${version}`, (choices) => startRunner(path, choices), {
  python: { version, packages: [] },
});
