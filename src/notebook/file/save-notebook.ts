import { constants } from "node:fs";
import { access, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Pieces, writeFileAtomically } from "../../support/files/atomic-write.ts";
import { holdFile, targetOfLinks } from "../../support/files/held-file.ts";
import { type LockedOptions, whileLocked } from "../../support/files/locked-file.ts";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { type Notebook, notebookPieces } from "../notebook.ts";
import { lookEarly } from "./early-look.ts";
import { isContentOf, isSameContent, packed, totalLength } from "./file-content.ts";

export interface SaveOptions {
  /** Another file than the original; it must not exist yet, unless `overwrite` is set. */
  readonly path?: string;
  /** Save even when the file has changed since it was read. */
  readonly overwrite?: boolean;
  readonly signal?: AbortSignal;
  /** @internal Folders that the file must be in, wherever links lead; null for any. */
  readonly within?: readonly string[] | null | undefined;
}

/** Files of this size take noticeable time to read. */
const longToRead = 4 * 1024 * 1024;

/**
 * Writes a notebook to its file atomically, and only over the version that was read: when another program has saved the
 * file since, it throws `changed-on-disk` and leaves the file alone. Returns the notebook as it is on disk now, for
 * further edits. An unchanged notebook is not written.
 */
export async function saveNotebook(notebook: Notebook, options: SaveOptions = {}): Promise<Notebook> {
  return whileLocked(pathToSave(notebook, options), options, () => saveLocked(notebook, options));
}

/** `saveNotebook` for a caller that already holds the file's lock. */
export async function saveLocked(notebook: Notebook, options: SaveOptions = {}): Promise<Notebook> {
  const { origin } = notebook;
  const path = pathToSave(notebook, options);
  const expected = path === origin?.path ? origin.content : null;
  const pieces = notebookPieces(notebook);
  if (!options.overwrite && expected !== null && isSameContent(expected, pieces)) return notebook;

  const mayLookEarly = !options.overwrite && expected !== null && totalLength(expected) >= longToRead;
  await replaceLocked(path, packed(pieces), options, (at) => {
    const isUntouched = mayLookEarly ? lookEarly(at, expected, origin?.seen) : async () => false;
    return async () => {
      if (!options.overwrite && !(await isUntouched())) await refuseWhenChanged(path, at, expected);
    };
  });
  return { ...notebook, origin: { path, content: pieces } };
}

/**
 * Replaces a notebook's file, for a caller that holds its lock.
 * @param expect called before the write, with the path for system calls; returns the last check before the replacement
 */
export async function replaceLocked(
  path: string,
  content: Pieces,
  options: LockedOptions,
  expect: (at: string) => () => Promise<void>,
): Promise<void> {
  options.signal?.throwIfAborted();
  await using held = await holdFile(path, options.within).catch((error) => {
    throw notWritable(error, path);
  });
  const { at } = held;
  await refuseWhenReadOnly(path, at);
  const isAsExpected = expect(at);
  // As late as possible, because writing takes a while: nothing comes between this check and the replacement.
  const beforeReplacing = async () => {
    options.signal?.throwIfAborted();
    await held.stillInside();
    await isAsExpected();
  };
  await writeFileAtomically(at, content, { beforeReplacing }).catch((error) => {
    throw notWritable(error, path);
  });
}

function pathToSave({ origin }: Notebook, { path }: SaveOptions): string {
  const found = path === undefined ? origin?.path : resolve(path);
  if (found === undefined)
    throw new GranaryError("no-path", "This notebook has no file yet. Pass a path to save it to.");
  return found;
}

async function refuseWhenChanged(path: string, at: string, expected: readonly Buffer[] | null): Promise<void> {
  if (await isContentOf(at, expected)) return;
  throw new GranaryError(
    "changed-on-disk",
    expected === null
      ? `There is a file at ${path} already. Nothing was written; choose another name, or overwrite it.`
      : `Another program has changed ${path} since it was read. Nothing was written; read it again and repeat the edit.`,
    { details: { path } },
  );
}

/**
 * Throws the error that a save to this path would throw, as far as it can be known in advance: for callers with hours of
 * work to do first. A disk that fills up later cannot be foreseen.
 */
export async function requireWritable(path: string, within?: readonly string[] | null): Promise<void> {
  try {
    await using held = await holdFile(path, within);
    const file = await open(held.at, "r+").catch(nullWhenMissing);
    await file?.close();
    // The new file is written beside the old one.
    await access(dirname(await targetOfLinks(held.at)), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notWritable(error, path);
  }
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** A rename would replace a read-only file; its mode says not to. */
async function refuseWhenReadOnly(path: string, at: string): Promise<void> {
  try {
    await access(at, constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw notWritable(error, path);
  }
}

function notWritable(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const isMissing = code === "ENOENT";
  const isFolder = code === "EISDIR";
  const reason = isMissing ? "its folder does not exist; make the folder first" : systemReason(error);
  const why = `${path} cannot be written: ${reason}.`;
  const kind = isFolder ? "is-folder" : "not-writable";
  return new GranaryError(kind, `${why} Nothing was changed.`, { details: { path, why }, cause: error });
}
