import { readFileSync, statSync, writeFileSync } from "node:fs";
import { inRepository, say } from "./repository.mjs";
import { runQuietly } from "./run-quietly.mjs";

const wanted = inRepository("package-lock.json");
/** A copy of the lockfile that node_modules was installed from. */
const installed = inRepository("node_modules/.installed-from");

export function isInstalled() {
  try {
    return readFileSync(wanted).equals(readFileSync(installed));
  } catch {
    return false;
  }
}

export async function install() {
  if (!isInstalledByHand()) {
    say("installing dependencies…");
    // Install scripts are not needed: the only package that has one is Bun, see scripts/bun-path.mjs.
    // The log level is explicit: that of `npm start --silent` would hide the reason for a failure.
    await runQuietly(
      "npm",
      ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
      {
        missing: "npm was not found on PATH. It comes with Node: reinstall Node, or put npm on PATH, and try again.",
        failed:
          "the dependencies could not be installed. Check the network and npm's settings, then try again, or run: npm ci",
      },
    );
  }
  writeFileSync(installed, readFileSync(wanted));
}

/** npm writes this file last, so after `npm ci` it is newer than the lockfile. */
function isInstalledByHand() {
  try {
    return statSync(inRepository("node_modules/.package-lock.json")).mtimeMs > statSync(wanted).mtimeMs;
  } catch {
    return false;
  }
}
