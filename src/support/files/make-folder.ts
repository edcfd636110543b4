import { mkdirSync, statSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, all with that mode; one that is there stays as it is. Not `mkdir` with
 * `recursive`: Node tries for ever where the folder above exists and still nothing can be made in it, as in /proc.
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

/** The same for whoever cannot wait. */
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
