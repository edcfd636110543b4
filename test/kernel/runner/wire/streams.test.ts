import { newestPython } from "../../../environment/pythons.ts";
import { describeKernel } from "../../kernel-contract.ts";
import { slowOnce } from "../contract/parts.ts";
import { startRunner } from "../start-runner.ts";

const { path, version } = newestPython();
const python = { version, packages: [] };

// The best kind for this system is what all other tests use. These are the ones to fall back on.
describeKernel("the runner with named pipes", (choices) => startRunner(path, { ...choices, streams: "fifos" }), {
  python,
  parts: ["output", "children"],
  slow: slowOnce,
});

describeKernel(
  "the runner with the host's own streams",
  (choices) => startRunner(path, { ...choices, streams: "inherited" }),
  {
    python,
    parts: ["output", "children"],
    slow: slowOnce,
    known: {
      "children can open /dev/stdout and /dev/stderr":
        "Node's streams are sockets, and a socket cannot be opened by name",
    },
  },
);
