import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { holdFile } from "./held-file.ts";

/**
 * Makes a folder and its parents, all with that mode; an existing folder stays unchanged. Not `mkdir` with
 * `recursive`: Node retries for ever where the parent exists but nothing can be made in it, as in /proc.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    if (!lacksFolderAbove(error, path)) throw error;
    await makeFolder(dirname(path), mode);
    await makeOne(path, mode);
  }
}

/** The same, but never outside of some folders, wherever links lead; null for anywhere. */
export async function makeFolderWithin(path: string, within: readonly string[] | null): Promise<void> {
  try {
    await using held = await holdFile(path, within);
    await makeOne(held.at, 0o777);
  } catch (error) {
    if (!lacksFolderAbove(error, path)) throw error;
    await makeFolderWithin(dirname(path), within);
    await using held = await holdFile(path, within);
    await makeOne(held.at, 0o777);
  }
}

/** The same for synchronous callers. */
export function makeFolderSync(path: string, mode = 0o777): void {
  try {
    makeOneSync(path, mode);
  } catch (error) {
    if (!lacksFolderAbove(error, path)) throw error;
    makeFolderSync(dirname(path), mode);
    makeOneSync(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const existing = await stat(path).catch(() => null);
    if (!existing?.isDirectory()) throw error;
  }
}

function makeOneSync(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function lacksFolderAbove(error: unknown, path: string): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT" && dirname(path) !== path;
}
