import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Folders that code in a sandbox could write, in this session or an earlier one: an environment of another project may still be on
 * PATH. The record is in Granary's own folder, which every sandbox hides.
 */
export function knownPlaces(home: string): readonly string[] {
  const folder = folderOf(home);
  return namesIn(folder).flatMap((name) => {
    const places = readPlaces(join(folder, name));
    const areGone = places.length > 0 && !places.some((place) => existsSync(place));
    if (areGone) rmSync(join(folder, name), { force: true });
    return areGone ? [] : places;
  });
}

export function rememberPlaces(home: string, places: readonly string[]): void {
  const text = JSON.stringify(places);
  const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
  try {
    mkdirSync(folderOf(home), { recursive: true, mode: 0o700 });
    writeFileSync(join(folderOf(home), `${name}.json`), text, { mode: 0o600, flag: "wx" });
  } catch {
    // It is known already; or the disk is full, and then only this session knows them.
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
