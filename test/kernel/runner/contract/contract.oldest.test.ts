import { isLong, testedPythons } from "../../../environment/variants.ts";
import { describeKernel, type Part } from "../../kernel-contract.ts";
import { startRunner } from "../start-runner.ts";

/** The quick half of the contract. The newest Python shows all of it in `npm test`. */
const quick: readonly Part[] = [
  "life cycle",
  "output",
  "results",
  "errors",
  "warnings",
  "await",
  "display",
  "input",
  "main module",
  "hostile sources",
  "completion",
];

for (const { path, version } of testedPythons()) {
  describeKernel(`the runner on Python ${version}`, (choices) => startRunner(path, choices), {
    python: { version, packages: [] },
    parts: isLong ? undefined : quick,
  });
}
