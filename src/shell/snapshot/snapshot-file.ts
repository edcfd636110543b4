import { readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";
import { makeFolder } from "../../support/files/make-folder.ts";

const hour = 60 * 60 * 1000;
/** An rc file may source files that are not watched; their changes are noticed after this time. */
const freshMs = 24 * hour;
/** Another process may still use an older snapshot, so only those not renewed for this long are deleted. */
const keptMs = 7 * 24 * hour;

/** The shell is not asked again for this long after a failure, unless an rc file changes, and with it the path. */
const failureMs = hour / 6;

/** Readable by the user only: functions and aliases may hold secrets. */
export async function writeSnapshot(path: string, parts: readonly string[]): Promise<void> {
  const lines = [heading, ...parts, ""];
  await makeFolder(dirname(path), 0o700);
  await writeFileAtomically(path, lines.join("\n"), { mode: 0o600 });
}

const heading = "# Made by Granary: what commands take over from the interactive shell. Edits are lost.";

export async function isFresh(path: string): Promise<boolean> {
  try {
    return !isOlderThan(freshMs, await stat(path)) && (await readFile(path, "utf8")).startsWith(heading);
  } catch {
    return false;
  }
}

/** So that slow rc files do not run again before each command. */
export async function writeFailure(path: string, problem: string): Promise<void> {
  await makeFolder(dirname(path), 0o700);
  await writeFileAtomically(failurePath(path), problem, { mode: 0o600 });
}

export async function recentFailure(path: string): Promise<string | null> {
  try {
    if (isOlderThan(failureMs, await stat(failurePath(path)))) return null;
    return (await readFile(failurePath(path), "utf8")) || null;
  } catch {
    return null;
  }
}

const failurePath = (path: string): string => `${path}.failed`;

export async function removeOldSnapshots(current: string): Promise<void> {
  const folder = dirname(current);
  const names = (await readdir(folder)).filter((name) => /^\.?snapshot-/.test(name));
  for (const path of names.map((name) => join(folder, name))) {
    const file = await stat(path).catch(() => null);
    if (file !== null && isOlderThan(keptMs, file)) await rm(path, { force: true });
  }
}

function isOlderThan(milliseconds: number, file: { readonly mtimeMs: number }): boolean {
  return Date.now() - file.mtimeMs > milliseconds;
}
