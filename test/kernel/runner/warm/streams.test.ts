import { newestPython } from "../../../environment/pythons.ts";
import { describeKernel } from "../../kernel-contract.ts";
import { warmStarter } from "./start-warm.ts";

const { path, version } = newestPython();
const starter = warmStarter(path, {}, "fifos");

// As on systems without /proc.
describeKernel("a forked runner with named pipes", (choices) => starter.start(choices), {
  python: { version, packages: [] },
  parts: ["output", "children", "death"],
});
