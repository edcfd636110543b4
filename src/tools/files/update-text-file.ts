import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { isContentOf } from "../../notebook/file/file-content.ts";
import { writeFileAtomically } from "../../support/files/atomic-write.ts";
import { holdFile } from "../../support/files/held-file.ts";
import { whileLocked } from "../../support/files/locked-file.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { fileKind } from "./file-kind.ts";
import { fileProblem } from "./file-problem.ts";
import type { NamedFile } from "./named-file.ts";
import { openFile } from "./open-file.ts";

export interface TextUpdate {
  readonly before: string;
  readonly after: string;
}

const mostBytes = 100_000_000;
/** Other programs save now and then; after this many lost races the other writer is assumed to never stop. */
const attempts = 20;
const byteOrderMark = "\ufeff";

/**
 * Reads a text file, changes it and writes it atomically, exclusive among Granary's processes. Mode, owner,
 * byte order mark and links stay. When another program writes the file in between, `change` is called again with the
 * new content.
 */
export async function updateTextFile(
  place: NamedFile,
  change: (text: string) => string,
  signal?: AbortSignal,
): Promise<TextUpdate> {
  try {
    return await whileLocked(place.real, { signal, within: place.within }, () => updateLocked(place, change));
  } catch (error) {
    throw await fileProblem(error, place.path);
  }
}

async function updateLocked(place: NamedFile, change: (text: string) => string): Promise<TextUpdate> {
  for (let attempt = 1; ; attempt++) {
    const bytes = await bytesOf(place);
    const whole = decode(bytes, place);
    const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : "";
    const before = whole.slice(mark.length);
    const after = change(before);
    if (after === before || (await replaced(place, bytes, mark + after))) return { before, after };
    if (attempt === attempts)
      throw new GranaryError("changed-on-disk", `${place.path} is being written all the time. Try again.`);
  }
}

async function bytesOf(place: NamedFile): Promise<Buffer> {
  await using file = await openFile(place);
  if (file.bytes > mostBytes) throw tooLarge(place);
  const kind = fileKind(file.beginning);
  if (kind.kind !== "text") {
    throw new GranaryError(
      "binary",
      `${place.path} is not text: it is ${kind.kind === "binary" ? kind.what : "a picture"}.`,
    );
  }
  return (await file.whole(mostBytes)) ?? Promise.reject(tooLarge(place));
}

function tooLarge({ path }: NamedFile): GranaryError {
  return new GranaryError("too-large", `${path} is too large to be edited here. Use Python.`);
}

function decode(bytes: Buffer, { path }: NamedFile): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new GranaryError(
      "not-utf8",
      `${path} is not valid UTF-8 and would be damaged. Edit it with Python, as bytes.`,
    );
  }
}

/** False when the file has changed. */
async function replaced(place: NamedFile, expected: Buffer, content: string): Promise<boolean> {
  const overtaken = new Error("Another program has written it.");
  try {
    await using held = await holdFile(place.real, place.within);
    // A rename would replace a read-only file.
    await access(held.at, constants.W_OK);
    await writeFileAtomically(held.at, content, {
      async beforeReplacing() {
        await held.stillInside();
        if (!(await isContentOf(held.at, [expected]))) throw overtaken;
      },
    });
    return true;
  } catch (error) {
    if (error === overtaken) return false;
    throw await fileProblem(error, place.path);
  }
}
