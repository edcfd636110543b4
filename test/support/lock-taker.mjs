// Takes a lock repeatedly, and records each acquisition and release in a file. It may end while it holds the lock.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const [modulePath = "", lock = "", notes = "", times, ending] = process.argv.slice(2);
/** @type {typeof import("../../src/support/files/file-lock.ts")} */
const { whileHolding } = await import(modulePath);
const note = (/** @type {string} */ word) => appendFileSync(notes, `${word} ${process.pid}\n`);

for (let turn = 0; turn < Number(times); turn++) {
  await whileHolding(lock, {}, async () => {
    note("took");
    await sleep(1);
    if (ending === "dies") process.kill(process.pid, "SIGKILL");
    note("left");
  });
}
