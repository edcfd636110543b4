import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BytePipe, openPipe, readPipe } from "../support/byte-pipe.ts";
import { type Deferred, deferred } from "../support/deferred.ts";
import { requireDescriptors } from "../support/process/descriptors.ts";

const tryAgainMs = 5;

/**
 * Where a command puts out what it has to say. A real pipe, because what Node makes for a child is a socket, and there
 * `echo … > /dev/stderr` fails; and one for both streams, so that they keep their order.
 */
export class OutputPipe {
  /** For the child, as its stdout and stderr. */
  readonly writeEnd: number;
  readonly #markEnd: number;
  readonly #reader: BytePipe;
  readonly #onChunk: (chunk: Buffer) => void;
  /** What may be the beginning of the mark. */
  #held = Buffer.alloc(0);
  #mark: { readonly bytes: Buffer; readonly arrived: Deferred<void> } | undefined;
  #isFollowed = true;
  readonly #open: Set<number>;

  /** @param onChunk is handed what comes; the chunk is only valid during the call */
  static async open(onChunk: (chunk: Buffer) => void): Promise<OutputPipe> {
    const folder = await mkdtemp(join(tmpdir(), "granary-bash-"));
    try {
      const path = join(folder, "output");
      requireDescriptors();
      await promisify(execFile)("mkfifo", ["-m", "600", path]);
      return new OutputPipe(path, onChunk);
    } finally {
      // Nobody needs its name any more: all ends are open.
      await rm(folder, { recursive: true, force: true });
    }
  }

  private constructor(path: string, onChunk: (chunk: Buffer) => void) {
    this.#onChunk = onChunk;
    const opened: number[] = [];
    const open = (end: number): number => {
      opened.push(end);
      return end;
    };
    try {
      const readEnd = open(openPipe(path));
      this.writeEnd = open(openSync(path, constants.O_WRONLY));
      this.#markEnd = open(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
      this.#open = new Set([this.writeEnd, this.#markEnd]);
      this.#reader = readPipe(readEnd, (chunk) => this.#take(chunk));
    } catch (error) {
      for (const end of opened) closeSync(end);
      throw error;
    }
  }

  /** While held, nothing is read, and the command waits as soon as the pipe is full. */
  hold(held: boolean): void {
    this.#reader.hold(held);
  }

  /** The child has it now. */
  closeWriteEnd(): void {
    this.#closeEnd(this.writeEnd);
  }

  /**
   * Settles when all that was written until now has been handed on; what comes later is read and dropped. End of file
   * would not do: what a command leaves in the background keeps the pipe open.
   */
  async drain(): Promise<void> {
    const mark = { bytes: randomBytes(24), arrived: deferred<void>() };
    this.#mark = mark;
    while (!this.#write(mark.bytes)) await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
    await mark.arrived.promise;
    this.#closeEnd(this.#markEnd);
  }

  close(): void {
    this.#reader.close();
    for (const end of this.#open) this.#closeEnd(end);
  }

  #closeEnd(end: number): void {
    if (this.#open.delete(end)) closeSync(end);
  }

  /** So short a text is written as a whole, or not at all when the pipe is full. */
  #write(bytes: Buffer): boolean {
    try {
      writeSync(this.#markEnd, bytes);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false;
      throw error;
    }
  }

  #take(chunk: Buffer): void {
    if (!this.#isFollowed) return;
    const mark = this.#mark;
    if (mark === undefined) return this.#onChunk(chunk);
    const bytes = Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(mark.bytes);
    const end = at === -1 ? Math.max(0, bytes.length - mark.bytes.length + 1) : at;
    if (end > 0) this.#onChunk(bytes.subarray(0, end));
    this.#held = bytes.subarray(end);
    if (at === -1) return;
    this.#isFollowed = false;
    mark.arrived.resolve();
  }
}
