import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { inRepository, say } from "./repository.mjs";

/** A folder with one empty file in it, named after the process that holds the lock. */
const lock = inRepository(".set-up-lock");
const me = String(process.pid);

/**
 * One process at a time installs and builds.
 * @param {() => Promise<void>} work
 */
export async function withSetUpLock(work) {
  await acquire();
  try {
    await work();
  } finally {
    release();
  }
}

async function acquire() {
  const prepared = `${lock}-${me}`;
  mkdirSync(prepared, { recursive: true });
  writeFileSync(`${prepared}/${me}`, "");
  try {
    for (let waiting = false; !claim(prepared); waiting = true) {
      if (!waiting) say(`waiting for another process that is setting this checkout up (${lock})…`);
      await sleep(100);
    }
  } finally {
    rmSync(prepared, { recursive: true, force: true });
  }
}

/**
 * Both ways to get the lock are a single rename, so of several processes exactly one succeeds.
 * @param {string} prepared
 */
function claim(prepared) {
  // A folder can be renamed to one that is missing or empty, and to no other.
  if (succeeds(() => renameSync(prepared, lock))) return true;
  const owner = ownerOfLock();
  if (owner === undefined || isAlive(owner)) return false;
  // The owner died before its work was done.
  return succeeds(() => renameSync(`${lock}/${owner}`, `${lock}/${me}`));
}

function release() {
  unlinkSync(`${lock}/${me}`);
  // Fails when the next process has already claimed the empty folder.
  succeeds(() => rmdirSync(lock));
}

function ownerOfLock() {
  try {
    return readdirSync(lock)[0];
  } catch {
    return undefined;
  }
}

/** @param {string} pid */
function isAlive(pid) {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {() => void} change */
function succeeds(change) {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}
