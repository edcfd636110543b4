import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolderSync } from "../make-folder.ts";

/**
 * Folders that code in a sandbox could write, in this session or an earlier one: an environment of another project may still be on
 * PATH. The record is in Granary's own folder, which every sandbox hides.
 */
export function knownPlaces(home: string): readonly string[] {
  return knownSandboxes(home).flat();
}

/** The same, of each sandbox. */
export function knownSandboxes(home: string): readonly (readonly string[])[] {
  const folder = folderOf(home);
  return namesIn(folder).map((name) => {
    const places = readPlaces(join(folder, name));
    const areGone = places.length > 0 && !places.some((place) => existsSync(place));
    if (areGone && isOld(join(folder, name))) rmSync(join(folder, name), { force: true });
    return places;
  });
}

const monthMs = 30 * 24 * 3600 * 1000;

/** A folder may be away for a while, such as one on another disk. */
function isOld(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > monthMs;
}

export function rememberPlaces(home: string, places: readonly string[]): void {
  const text = JSON.stringify(places);
  const file = join(folderOf(home), `${createHash("sha256").update(text).digest("hex").slice(0, 16)}.json`);
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    remember(file, text);
  }
}

function remember(file: string, text: string): void {
  try {
    makeFolderSync(dirname(file), 0o700);
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    // Another process was faster. Where the disk is full, only this session knows them.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") rmSync(file, { force: true });
  }
}

function folderOf(home: string): string {
  return join(home, "sandbox", "folders");
}

function readPlaces(file: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(read) ? read.filter((place) => typeof place === "string") : [];
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
