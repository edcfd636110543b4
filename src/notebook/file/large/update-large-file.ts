import { type BigIntStats, constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { openRegular } from "../../../support/files/foreign/regular-file.ts";
import { holdFile, withoutLinks } from "../../../support/files/held-file.ts";
import type { LockedOptions } from "../../../support/files/locked-file.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import type { Notebook } from "../../notebook.ts";
import { replaceLocked } from "../save-notebook.ts";
import { currentStats, isUntouched, tellsChanges } from "../seen-file.ts";
import { LargeScan } from "./large-scan.ts";
import { NeedsWholeFile } from "./needs-whole-file.ts";
import { contentParts, isUnchanged, newContent } from "./new-content.ts";
import { readWindows, type WindowOptions } from "./windows.ts";
import { withMemory } from "./working-memory.ts";

export interface LargeFileOptions extends LockedOptions {
  /** Smaller files are left to the caller. */
  readonly smallest?: number;
  /** So many bytes are read and written at a time. */
  readonly partBytes?: number;
}

const megabyte = 1024 * 1024;

/**
 * Changes a large notebook without ever having all of it in memory: reads and checks the file once, and copies the cells that
 * stay from there into the new one. For a caller that holds the file's lock.
 * @param change gets a notebook whose cells are valid only during the call
 * @returns false when nothing was changed because this needs the whole file, for example to report what is wrong with it
 */
export async function updateLargeFile(
  path: string,
  change: (notebook: Notebook) => Notebook | Promise<Notebook>,
  { smallest = 8 * megabyte, partBytes = 2 * megabyte, ...options }: LargeFileOptions = {},
): Promise<boolean> {
  const absolute = resolve(path);
  const file = await openedLarge(absolute, options.within, smallest);
  if (file === null) return false;
  try {
    const stats = await file.stat({ bigint: true });
    if (!tellsChanges(stats)) return false;
    return await withMemory(4 * partBytes, (memory) => update(absolute, { file, stats, memory }, change, options));
  } catch (error) {
    if (error instanceof NeedsWholeFile) return false;
    throw error;
  } finally {
    // Frees the file if it was replaced, which takes the system a while.
    void file.close().catch(() => {});
  }
}

interface Opened {
  readonly file: FileHandle;
  readonly stats: BigIntStats;
  readonly memory: Buffer;
}

async function update(
  path: string,
  { file, stats, memory }: Opened,
  change: (notebook: Notebook) => Notebook | Promise<Notebook>,
  { within, signal }: LockedOptions,
): Promise<boolean> {
  const notebook = await scanned(file, { size: Number(stats.size), memory, signal });
  if (notebook === null) return false;
  const isAsRead = async (at: string) => {
    const now = await currentStats(at);
    return now !== null && isUntouched(stats, now);
  };
  let changed: Notebook;
  try {
    changed = await change(notebook);
  } catch (error) {
    // After another program's save, the error may be about a mixture of both versions.
    if (!isGranaryError(error, "changed-on-disk") && (await isAsRead(path))) throw error;
    return false;
  }
  if (isUnchanged(changed, notebook)) return await isAsRead(path);
  const content = contentParts(file, newContent(changed, notebook), memory);
  await replaceLocked(path, content, { within, signal }, (at) => async () => {
    if (!(await isAsRead(at))) throw new NeedsWholeFile();
  });
  return true;
}

/** Null for a small file, and for everything that cannot be opened: the caller's own attempt reports it. */
async function openedLarge(
  path: string,
  within: LockedOptions["within"],
  smallest: number,
): Promise<FileHandle | null> {
  try {
    await using held = await holdFile(path, within);
    const file = await openRegular(held.at, within ? constants.O_RDONLY | withoutLinks : constants.O_RDONLY);
    if ((await file.stat()).size >= smallest) return file;
    await file.close();
    return null;
  } catch {
    return null;
  }
}

/** Null when anything is wrong. */
async function scanned(file: FileHandle, options: WindowOptions): Promise<Notebook | null> {
  const scan = new LargeScan(file);
  try {
    await readWindows(file, options, (...window) => scan.advance(...window));
    return scan.notebook();
  } catch {
    options.signal?.throwIfAborted();
    return null;
  }
}
