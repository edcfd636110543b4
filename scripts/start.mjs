// `npm start -- ARGS`: the command line of this checkout, set up first if needed.
import "../bin/require-node-20.js";
import { createRequire } from "node:module";

const granary = createRequire(import.meta.url);

// Loaded only now, because an old Node could not parse it; no top-level `await` for the same reason.
import("./bootstrap.mjs").then(async ({ bootstrapOrExit }) => {
  await bootstrapOrExit();

  // npm runs scripts in the package's folder, but file names are relative to the user's folder.
  const { INIT_CWD, npm_lifecycle_event } = process.env;
  if (npm_lifecycle_event === "start" && INIT_CWD) process.chdir(INIT_CWD);

  // In this process, so that signals, the terminal and the exit code belong to the command line.
  granary("../bin/granary");
});
