// The contract as Bun's own test runner runs it; bun.test.ts starts it.
import { newestPython } from "../../../environment/pythons.ts";
import { describeKernel } from "../../kernel-contract.ts";
import { startRunner } from "../start-runner.ts";
import { partOfBun, slowOnce } from "./parts.ts";

const { path, version } = newestPython();

describeKernel(`the runner on Bun and Python ${version}`, (choices) => startRunner(path, choices), {
  python: { version, packages: [] },
  slow: slowOnce,
  parts: partOfBun,
});
