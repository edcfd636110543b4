import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BytePipe, openPipe, readPipe } from "../support/byte-pipe.ts";
import { type Deferred, deferred } from "../support/deferred.ts";
import { makeOwnedFolder } from "../support/files/owned-folder.ts";
import { requireDescriptors } from "../support/process/descriptors.ts";
import { systemEnvironment, systemProgram } from "../support/process/system-program.ts";

const tryAgainMs = 5;

/**
 * The output pipe of a command. A real pipe, because Node gives a child a socket, where
 * `echo … > /dev/stderr` fails; one pipe for both streams, so that they keep their order.
 */
export class OutputPipe {
  /** The child's stdout and stderr. */
  readonly writeEnd: number;
  readonly #markEnd: number;
  readonly #reader: BytePipe;
  readonly #onChunk: (chunk: Buffer) => void;
  /** Bytes that may be the beginning of the mark. */
  #held = Buffer.alloc(0);
  #mark: { readonly bytes: Buffer; readonly arrived: Deferred<void> } | undefined;
  #isFollowed = true;
  readonly #open: Set<number>;

  /** @param onChunk gets each chunk, which is only valid during the call */
  static async open(onChunk: (chunk: Buffer) => void): Promise<OutputPipe> {
    const folder = makeOwnedFolder("bash");
    try {
      const path = join(folder, "output");
      requireDescriptors();
      await promisify(execFile)(systemProgram("mkfifo"), ["-m", "600", path], { env: systemEnvironment });
      return new OutputPipe(path, onChunk);
    } finally {
      // All ends are open, so the name is no longer needed.
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

  /** While held, nothing is read, and the command blocks as soon as the pipe is full. */
  hold(held: boolean): void {
    this.#reader.hold(held);
  }

  /** Called when the child has the descriptor. */
  closeWriteEnd(): void {
    this.#closeEnd(this.writeEnd);
  }

  /**
   * Settles when all output written so far has been delivered; later output is read and dropped. End of file
   * would not do: background processes of the command keep the pipe open.
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

  /** A text this short is written whole, or not at all when the pipe is full. */
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
