import { closeSync, constants, fstatSync, openSync, readSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { type BytePipe, openPipe, readPipe, readSocket, readsInOrder } from "../../../support/byte-pipe.ts";
import { KernelError } from "../../errors.ts";
import type { StreamName } from "../../events.ts";
import { findPython } from "../python-process.ts";
import type { Handshake, RunnerProcess } from "../spawn-runner.ts";
import { decodeFrame, encode, type Fifos, type Hello } from "./frames.ts";
import { openLimited, runnersNames } from "./open-limited.ts";

export interface NotedStack {
  readonly cell: number;
  /** In seconds. */
  readonly at: number;
  /** Outermost first. */
  readonly frames: readonly (readonly [file: string, line: number | null, name: string])[];
}

/** The cell and the attempt of the newest interrupt that was delivered. */
export interface DeliveredInterrupt {
  readonly cell: number;
  readonly attempt: number;
}

const deliveredPlace = 8;
const stackPlace = 16;
const mostBytes = 65_536;

/** Where the runner notes which cell has begun, and which interrupt was delivered; read only when no frame says it. See "Start" in protocol/README.md. */
class Journal {
  readonly #fd: number;
  readonly #buffer = Buffer.alloc(8);

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The number of the newest cell that has begun. */
  get begun(): number {
    const length = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, 0);
    return length === 0 ? 0 : Number(this.#buffer.readBigUInt64LE());
  }

  /** Null when there was none yet. */
  get delivered(): DeliveredInterrupt | null {
    const length = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, deliveredPlace);
    if (length < this.#buffer.length) return null;
    return { cell: this.#buffer.readUInt32LE(0), attempt: this.#buffer.readUInt32LE(4) };
  }

  /** The last stack of a cell that Python has noted; null when there is none. */
  stackOf(cell: number): NotedStack | null {
    const buffer = Buffer.alloc(mostBytes);
    const length = readSync(this.#fd, buffer, 0, mostBytes, stackPlace);
    // The rest of a longer stack may follow the end; a stack that is being written cannot be read.
    const end = buffer.subarray(0, length).indexOf("\n");
    try {
      const noted = JSON.parse(buffer.toString("latin1", 0, Math.max(0, end))) as NotedStack;
      return noted.cell === cell ? noted : null;
    } catch {
      return null;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** How fd 1 and fd 2 of the runner reach the host, best first. */
export type StreamKind = "pipes" | "fifos" | "inherited";

export interface Streams extends Readonly<Record<StreamName, BytePipe>> {
  readonly journal?: Journal | undefined;
}

/** Agrees with the runner on real pipes for stdout and stderr: step 2 of "Start" in protocol/README.md. */
export async function openStreams(
  runner: RunnerProcess,
  hello: Hello,
  handshake: Handshake,
  onChunk: (name: StreamName, chunk: Buffer) => void,
  options: { readonly prefer: StreamKind; readonly signal: AbortSignal | undefined },
): Promise<Streams> {
  const read = (fds: readonly [number, number], journal?: Journal): Streams => {
    runner.inherited?.stdout.destroy();
    runner.inherited?.stderr.destroy();
    return {
      stdout: readPipe(fds[0], (chunk) => onChunk("stdout", chunk)),
      stderr: readPipe(fds[1], (chunk) => onChunk("stderr", chunk)),
      journal,
    };
  };
  const isFound = hello.pid === runner.pid || findPython(runner, hello.pid);
  if (options.prefer === "pipes" && isFound) {
    const { pythonPid: pid } = runner;
    const open = (path: string): number | null =>
      runner.isLimited ? openLimited(path, runnersNames.pipe) : openPipe(path);
    const fds = openBoth(descriptorOf(pid, hello.pipes[0]), descriptorOf(pid, hello.pipes[1]), open);
    if (fds) {
      const journal = openJournal(runner, hello);
      runner.frames.write(
        encode({ op: "streams", use: "pipes", settled: readsInOrder, journal: journal !== undefined }),
      );
      return read(fds, journal);
    }
  }
  // A path of a limited Python leads elsewhere here.
  if (options.prefer !== "inherited" && !runner.isLimited) {
    runner.frames.write(encode({ op: "streams", use: "fifos" }));
    const fifos = decodeFrame<Fifos>(await handshake.nextLine(options.signal));
    const fds = openBoth(fifos.stdout, fifos.stderr, openPipe);
    if (fds) {
      runner.frames.write(encode({ op: "streams", use: "opened", settled: readsInOrder }));
      return read(fds);
    }
    removeFifos(fifos);
  }
  const { inherited } = runner;
  if (!inherited) throw new KernelError("start-failed", "The pipes of a forked Python could not be opened.");
  runner.frames.write(encode({ op: "streams", use: "inherited" }));
  return {
    stdout: readSocket(inherited.stdout, (chunk) => onChunk("stdout", chunk)),
    stderr: readSocket(inherited.stderr, (chunk) => onChunk("stderr", chunk)),
  };
}

/** Python does so as well, unless it ends first: without pipes, a forked one is killed. */
function removeFifos({ stdout, stderr }: Fifos): void {
  for (const path of [stdout, stderr]) attempt(() => unlinkSync(path));
  attempt(() => rmdirSync(dirname(stdout)));
}

function attempt(remove: () => void): void {
  try {
    remove();
  } catch {
    // It is gone already.
  }
}

const justReading = constants.O_RDONLY | constants.O_NONBLOCK;

function openJournal(runner: RunnerProcess, { journal }: Hello): Journal | undefined {
  if (journal === null) return undefined;
  try {
    const path = descriptorOf(runner.pythonPid, journal);
    const fd = runner.isLimited ? openLimited(path, runnersNames.journal) : openSync(path, justReading);
    if (fd === null) return undefined;
    if (fstatSync(fd).isFile()) return new Journal(fd);
    closeSync(fd);
  } catch {
    // Then there is none.
  }
  return undefined;
}

/** Python may be any program, and say anything. */
function descriptorOf(pid: number, said: unknown): string {
  return `/proc/${pid}/fd/${Number.isSafeInteger(said) ? said : "none"}`;
}

function openBoth(
  stdout: string,
  stderr: string,
  open: (path: string) => number | null,
): readonly [number, number] | undefined {
  const [first, second] = [orNull(open, stdout), orNull(open, stderr)];
  if (first !== null && second !== null) return [first, second];
  for (const fd of [first, second]) if (fd !== null) closeSync(fd);
  return undefined;
}

function orNull(open: (path: string) => number | null, path: string): number | null {
  try {
    return open(path);
  } catch {
    return null;
  }
}
