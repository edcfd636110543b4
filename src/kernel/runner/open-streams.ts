import { closeSync } from "node:fs";
import type { StreamName } from "../events.ts";
import { type BytePipe, openPipe, readPipe, readSocket, readsInOrder } from "./byte-pipe.ts";
import { decodeFrame, encode, type Fifos, type Hello } from "./frames.ts";
import type { Handshake, RunnerProcess } from "./spawn-runner.ts";

/** How fd 1 and fd 2 of the runner reach the host, best first. */
export type StreamKind = "pipes" | "fifos" | "inherited";

export type Streams = Readonly<Record<StreamName, BytePipe>>;

/** Agrees with the runner on real pipes for stdout and stderr: step 2 of "Start" in protocol/README.md. */
export async function openStreams(
  runner: RunnerProcess,
  hello: Hello,
  handshake: Handshake,
  onChunk: (name: StreamName, chunk: Buffer) => void,
  options: { readonly prefer: StreamKind; readonly signal: AbortSignal | undefined },
): Promise<Streams> {
  const read = (fds: readonly [number, number]): Streams => {
    runner.stdout.destroy();
    runner.stderr.destroy();
    return {
      stdout: readPipe(fds[0], (chunk) => onChunk("stdout", chunk)),
      stderr: readPipe(fds[1], (chunk) => onChunk("stderr", chunk)),
    };
  };
  if (options.prefer === "pipes") {
    const fds = openBoth(`/proc/${hello.pid}/fd/${hello.pipes[0]}`, `/proc/${hello.pid}/fd/${hello.pipes[1]}`);
    if (fds) {
      runner.frames.write(encode({ op: "streams", use: "pipes", settled: readsInOrder }));
      return read(fds);
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
  runner.frames.write(encode({ op: "streams", use: "inherited" }));
  return {
    stdout: readSocket(runner.stdout, (chunk) => onChunk("stdout", chunk)),
    stderr: readSocket(runner.stderr, (chunk) => onChunk("stderr", chunk)),
  };
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
