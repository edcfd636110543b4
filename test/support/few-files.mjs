// Holds a lock, has no descriptors left when it gives the lock back, and takes the lock again when there are some. Arguments: the
// built folder, the lock. Prints what it saw as JSON.
import { closeSync, existsSync, openSync } from "node:fs";

const [built, path = ""] = process.argv.slice(2);
const { takeLock } = await import(`${built}/support/files/file-lock.js`);
const { identityOf, isStillRunning } = await import(`${built}/support/process/process-identity.js`);

const ourselves = identityOf(process.pid);
const lock = await takeLock(path);
/** @type {number[]} */
const ballast = [];
try {
  for (;;) ballast.push(openSync("/dev/null", "r"));
} catch {}
await lock.release();
const runs = isStillRunning(ourselves);
for (const file of ballast) closeSync(file);
const again = await takeLock(path, { signal: AbortSignal.timeout(15_000) });
await again.release();
console.log(JSON.stringify({ runs, isLeft: existsSync(path), isNextLeft: existsSync(`${path}.next`) }));
