import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { sayBytes } from "../../output/text/say-size.ts";
import { holdFolder } from "../../support/files/held-file.ts";
import { sayCount } from "../../support/say-count.ts";
import { fileProblem } from "./file-problem.ts";
import type { NamedFile } from "./named-file.ts";

export interface Listing {
  /** A line for each entry: folders first, with a slash. */
  readonly text: string;
  readonly entries: number;
  /** How many are not listed. */
  readonly more: number;
}

const mostEntries = 1000;

export async function listFolder({ path, real, within }: NamedFile): Promise<Listing> {
  try {
    await using held = await holdFolder(real, within);
    return await listingOf(held.at);
  } catch (error) {
    throw await fileProblem(error, path);
  }
}

async function listingOf(folder: string): Promise<Listing> {
  const found = await readdir(folder, { withFileTypes: true });
  const entries = found.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || compare(a.name, b.name));
  const lines = await Promise.all(entries.slice(0, mostEntries).map((entry) => lineOf(folder, entry)));
  return { text: lines.join(""), entries: entries.length, more: entries.length - lines.length };
}

export function sayMore({ more }: Listing): string {
  return more === 0 ? "" : `[${sayCount(more, "entry", "entries")} more]`;
}

async function lineOf(folder: string, entry: Dirent): Promise<string> {
  if (entry.isDirectory()) return `${entry.name}/\n`;
  if (entry.isSymbolicLink()) return `${entry.name} (link)\n`;
  if (!entry.isFile()) return `${entry.name} (not a file)\n`;
  const file = await lstat(join(folder, entry.name)).catch(() => null);
  return file === null ? `${entry.name}\n` : `${entry.name} (${sayBytes(file.size)})\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
