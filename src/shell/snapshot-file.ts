import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../support/atomic-write.ts";
import type { SnapshotParts } from "./snapshot-parts.ts";

const hour = 60 * 60 * 1000;
/** An rc file reads others that nobody watches; what they say is noticed after so long. */
const freshMs = 24 * hour;
/** Another process may still use one that is not ours, so only what nobody has renewed goes. */
const keptMs = 7 * 24 * hour;

/** For the user's eyes only: functions and aliases may hold anything. */
export async function writeSnapshot(path: string, { parts, exported, withheld }: SnapshotParts): Promise<void> {
  const lines = [
    "# Made by Granary: what commands take over from the interactive shell. Edits are lost.",
    `${namesBegin}${JSON.stringify({ exported, withheld })}`,
    ...parts,
    "",
  ];
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, lines.join("\n"), { mode: 0o600 });
}

const namesBegin = "# variables ";

/** Whether there is a snapshot that is fresh and was made with a filter that would decide the same today. */
export async function isUsable(path: string, filter: (name: string, value: string) => boolean): Promise<boolean> {
  try {
    if (isOlderThan(freshMs, await stat(path))) return false;
    const text = await readFile(path, "utf8");
    const line = text.split("\n", 2)[1] ?? "";
    const { exported, withheld } = JSON.parse(line.slice(namesBegin.length)) as Omit<SnapshotParts, "parts">;
    const passes = (name: string): boolean => filter(name, "");
    return exported.every(passes) && !withheld.some(passes);
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
