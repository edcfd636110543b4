// The contract as Bun's own test runner runs it; bun.test.ts starts it.
import { newestPython } from "../../../environment/pythons.ts";
import { isLong } from "../../../environment/variants.ts";
import { describeKernel, type Part } from "../../kernel-contract.ts";
import { startRunner } from "../start-runner.ts";

const { path, version } = newestPython();

/** What depends on how Bun starts processes, reads pipes and sends signals. */
const ofBun: readonly Part[] = ["life cycle", "output", "input", "interrupts", "death"];

describeKernel(`the runner on Bun and Python ${version}`, (choices) => startRunner(path, choices), {
  python: { version, packages: [] },
  parts: isLong ? undefined : ofBun,
});
