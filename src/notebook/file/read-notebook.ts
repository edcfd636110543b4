import { realpath } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { whileLocked } from "../../support/files/locked-file.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { newNotebook } from "../new-notebook.ts";
import type { Notebook } from "../notebook.ts";
import { EarlyCells } from "../parse/early-cells.ts";
import { parseWithEarlyCells } from "../parse/parse-notebook.ts";
import { type ReadOptions, readWholeFile, type WholeFile } from "./file-content.ts";

export interface ReadNotebookOptions {
  /** @internal Folders that the file must be in, wherever links lead; null for any. */
  readonly within?: readonly string[] | null | undefined;
  /** Begin with an empty notebook when the file does not exist; only a save writes it. */
  readonly orEmpty?: boolean;
  readonly signal?: AbortSignal;
  /** The caller holds the file's lock, so no other process of Granary is writing it. */
  readonly isLocked?: boolean;
}

/** Reads a notebook from its file. The result remembers the file, for `saveNotebook`. */
export async function readNotebook(path: string, options: ReadNotebookOptions = {}): Promise<Notebook> {
  const { orEmpty = false, signal, within, isLocked = false } = options;
  const absolute = resolve(path);
  let early: EarlyCells | null = null;
  const onArrival = (content: Buffer, arrived: number) => {
    early ??= new EarlyCells(content);
    early.advance(arrived);
  };
  const file = await contentOf(absolute, { signal, within, onArrival });
  if (file === null) {
    if (orEmpty) return newNotebook({ path: absolute });
    throw new GranaryError(
      "missing-file",
      `There is no notebook at ${path}. Make one with: granary notebook new ${path}`,
      {
        details: { path: absolute },
      },
    );
  }
  try {
    const notebook = parseWithEarlyCells(file.content, basename(path), early);
    return { ...notebook, origin: { path: absolute, content: [file.content], seen: file.seen } };
  } catch (error) {
    if (!isGranaryError(error)) throw error;
    if (error.code === "invalid-json" && !isLocked && (await isHalfWritten(absolute))) {
      return whileLocked(absolute, { signal, within }, () => readNotebook(path, { ...options, isLocked: true }));
    }
    throw new GranaryError(error.code, error.message, { details: { ...error.details, path: absolute }, cause: error });
  }
}

/** A file with several names is written in place: its writer is at work, or was killed, and then the lock's next owner finishes. */
async function isHalfWritten(path: string): Promise<boolean> {
  const { isWrittenInPlace } = await import("../../support/files/in-place-write.ts");
  return isWrittenInPlace(await realpath(path).catch(() => path));
}

async function contentOf(path: string, options: ReadOptions): Promise<WholeFile | null> {
  try {
    return await readWholeFile(path, options);
  } catch (error) {
    if (isGranaryError(error)) throw error;
    options.signal?.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    const kind = code === "EISDIR" ? "is-folder" : code === "ENOTDIR" ? "missing-file" : "unreadable";
    throw new GranaryError(kind, `${path} cannot be read: ${systemReason(error)}.`, {
      details: { path },
      cause: error,
    });
  }
}
