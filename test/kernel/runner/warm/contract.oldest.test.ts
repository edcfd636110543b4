import { oldestPython } from "../../../environment/pythons.ts";
import { describeKernel } from "../../kernel-contract.ts";
import { forkedOnTheOldest, slowOnce } from "../contract/parts.ts";
import { warmStarter } from "./start-warm.ts";

const { path, version } = oldestPython();
const starter = warmStarter(path);

describeKernel(`a forked runner on Python ${version}`, (choices) => starter.start(choices), {
  python: { version, packages: [] },
  slow: slowOnce,
  parts: forkedOnTheOldest,
});
