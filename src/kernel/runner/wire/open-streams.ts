import { closeSync } from "node:fs";
import { type BytePipe, openPipe, readPipe, readSocket, readsInOrder } from "../../../support/byte-pipe.ts";
import { KernelError } from "../../errors.ts";
import type { StreamName } from "../../events.ts";
import type { Handshake, RunnerProcess } from "../spawn-runner.ts";
import { decodeFrame, encode, type Fifos, type Hello } from "./frames.ts";
import { Journal } from "./journal.ts";

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
  if (options.prefer === "pipes") {
    const fds = openBoth(`/proc/${hello.pid}/fd/${hello.pipes[0]}`, `/proc/${hello.pid}/fd/${hello.pipes[1]}`);
    if (fds) {
      const journal = openJournal(hello);
      runner.frames.write(
        encode({ op: "streams", use: "pipes", settled: readsInOrder, journal: journal !== undefined }),
      );
      return read(fds, journal);
    }
  }
  if (options.prefer !== "inherited") {
    runner.frames.write(encode({ op: "streams", use: "fifos" }));
    const fifos = decodeFrame<Fifos>(await handshake.nextLine(options.signal));
    const fds = openBoth(fifos.stdout, fifos.stderr);
    if (fds) {
      runner.frames.write(encode({ op: "streams", use: "opened", settled: readsInOrder }));
      return read(fds);
    }
  }
  const { inherited } = runner;
  if (!inherited) throw new KernelError("start-failed", "The pipes of a forked Python could not be opened.");
  runner.frames.write(encode({ op: "streams", use: "inherited" }));
  return {
    stdout: readSocket(inherited.stdout, (chunk) => onChunk("stdout", chunk)),
    stderr: readSocket(inherited.stderr, (chunk) => onChunk("stderr", chunk)),
  };
}

function openJournal({ pid, journal }: Hello): Journal | undefined {
  try {
    return journal === null ? undefined : new Journal(`/proc/${pid}/fd/${journal}`);
  } catch {
    return undefined;
  }
}

function openBoth(stdout: string, stderr: string): readonly [number, number] | undefined {
  let first: number | undefined;
  try {
    first = openPipe(stdout);
    return [first, openPipe(stderr)];
  } catch {
    if (first !== undefined) closeSync(first);
    return undefined;
  }
}
