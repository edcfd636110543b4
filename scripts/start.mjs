// `npm start -- ARGS`: the command line of this checkout, set up first where that is needed.
import "../bin/require-node-20.js";
import { createRequire } from "node:module";

const granary = createRequire(import.meta.url);

// Loaded only now, because an old Node could not even read it; no top-level `await` for the same reason.
import("./bootstrap.mjs").then(async ({ bootstrapOrExit }) => {
  await bootstrapOrExit();

  // npm runs scripts in the package's folder; file names were typed relative to the user's.
  const { INIT_CWD, npm_lifecycle_event } = process.env;
  if (npm_lifecycle_event === "start" && INIT_CWD) process.chdir(INIT_CWD);

  // In this very process, so that signals, the terminal and the exit code are the command line's own.
  granary("../bin/granary");
});
