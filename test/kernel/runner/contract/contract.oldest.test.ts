import { testedPythons } from "../../../environment/variants.ts";
import { describeKernel } from "../../kernel-contract.ts";
import { startRunner } from "../start-runner.ts";
import { partsOnTheOldest } from "./parts.ts";

for (const { path, version } of testedPythons()) {
  describeKernel(`the runner on Python ${version}`, (choices) => startRunner(path, choices), {
    python: { version, packages: [] },
    parts: partsOnTheOldest,
  });
}
