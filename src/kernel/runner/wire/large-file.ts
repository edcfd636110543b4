import { close, constants, fstatSync, openSync, read } from "node:fs";
import { GranaryError } from "../../../support/granary-error.ts";
import type { LargeContent } from "../../events.ts";
import type { RunnerProcess } from "../spawn-runner.ts";
import { openLimited, runnersNames } from "./open-limited.ts";

/** The runner's reference to a value in a file, or to one that it could not write. */
export type FileReference = { readonly bytes: number; readonly json: boolean } & (
  | { readonly file: number; readonly path: string }
  | { readonly problem: string }
);

/** The files that a frame names, opened. */
export interface OpenedFiles {
  readonly of: Readonly<Record<string, LargeFile>>;
  /** The numbers by which the runner knows them. */
  readonly taken: readonly number[];
}

/** The process whose files these are. */
type Owner = Pick<RunnerProcess, "pid" | "pythonPid" | "isLimited">;

export function openFiles(references: Readonly<Record<string, FileReference>>, owner: Owner): OpenedFiles {
  const entries = Object.entries(references);
  return {
    of: Object.fromEntries(entries.map(([name, reference]) => [name, new LargeFile(reference, owner)])),
    taken: entries.flatMap(([, reference]) => ("file" in reference ? [reference.file] : [])),
  };
}

/** Python's descriptor by the number that its process has here. A forged path must not make us read what Python cannot. */
function placeOf(path: string, { pid, pythonPid, isLimited }: Owner): string | null {
  if (!isLimited && pid === pythonPid) return path;
  const descriptor = /^\/proc\/\d+\/fd\/(\d+)$/.exec(path)?.[1];
  return descriptor === undefined ? null : `/proc/${pythonPid}/fd/${descriptor}`;
}

const notOwn = "it is in no file of Python's own";
const chunkBytes = 256 * 1024;

/** A file of the runner's, opened the moment we read of it: the runner may end at any time. */
export class LargeFile implements LargeContent {
  readonly isJson: boolean;
  readonly bytes: number;
  readonly problem: string | null;
  #fd: number | null = null;
  #readers = 0;
  #isReleased = false;

  constructor(reference: FileReference, owner: Owner) {
    this.isJson = reference.json;
    this.bytes = reference.bytes;
    this.problem = "problem" in reference ? reference.problem : this.#open(reference.path, owner);
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    if (this.problem !== null) throw new GranaryError("unreadable", `This value cannot be read: ${this.problem}.`);
    const fd = this.#fd;
    if (fd === null || this.#isReleased)
      throw new GranaryError("unreadable", "This value can be read only until the next event is asked for.");
    this.#readers++;
    try {
      for (let at = 0; ; ) {
        const chunk = await readChunk(fd, at);
        if (chunk.length === 0) return;
        at += chunk.length;
        yield chunk;
      }
    } finally {
      this.#readers--;
      this.#closeWhenUnused();
    }
  }

  /** No new reader may start; a running one may finish. */
  release(): void {
    this.#isReleased = true;
    this.#closeWhenUnused();
  }

  /** Why it cannot be opened; null when it is open. */
  #open(path: string, owner: Owner): string | null {
    const place = placeOf(path, owner);
    if (place === null) return notOwn;
    try {
      const fd = owner.isLimited
        ? openLimited(place, runnersNames.value)
        : openSync(place, constants.O_RDONLY | constants.O_NONBLOCK);
      if (fd === null) return notOwn;
      this.#fd = fd;
      const file = fstatSync(fd);
      // A file that grows would be read for ever.
      if (file.isFile() && file.size === this.bytes) return null;
      this.release();
      return notOwn;
    } catch {
      return "Python ended before it could be read";
    }
  }

  #closeWhenUnused(): void {
    if (this.#fd === null || !this.#isReleased || this.#readers > 0) return;
    // Not synchronously: the last close of a file without a name frees its pages, which takes 100 ms for a gigabyte.
    close(this.#fd, () => {});
    this.#fd = null;
  }
}

function readChunk(fd: number, at: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, chunkBytes, at, (error, length) =>
      error === null ? resolve(buffer.subarray(0, length)) : reject(error),
    );
  });
}
