// Makes a checkout ready to run: dependencies installed, sources built, each only when needed.
import "../bin/require-node-20.js";
import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { isMain, say } from "./repository.mjs";

/** Usually everything is up to date, and this only checks a few files. */
export async function bootstrap() {
  if (isInstalled() && isBuilt()) return;
  const { withSetUpLock } = await import("./set-up-lock.mjs");
  await withSetUpLock(async () => {
    // Check again: another process may have done the work while we waited for the lock.
    if (!isInstalled()) await install();
    if (!isBuilt()) await build();
  });
}

/** For scripts that people run: a failure prints a sentence and ends with exit code 3, "Granary failed". */
export async function bootstrapOrExit() {
  try {
    await bootstrap();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(3);
  }
}

if (isMain(import.meta.url)) await bootstrapOrExit();
