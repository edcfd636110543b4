import { readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";
import { makeFolder } from "../../support/files/make-folder.ts";

const hour = 60 * 60 * 1000;
/** An rc file reads others that nobody watches; what they say is noticed after so long. */
const freshMs = 24 * hour;
/** Another process may still use one that is not ours, so only what nobody has renewed goes. */
const keptMs = 7 * 24 * hour;

/** For the user's eyes only: functions and aliases may hold anything. */
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
