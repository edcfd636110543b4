import type { Socket } from "node:net";
import { deferred } from "../../../support/deferred.ts";
import type { Kernel } from "../../kernel.ts";
import type { RunnerProcess } from "../spawn-runner.ts";
import { KernelParent } from "../warm/kernel-parent.ts";
import { longestForkFrame } from "../warm/template-frames.ts";
import { LineSplitter } from "../wire/line-splitter.ts";
import { CheckpointSocket, cameToNothing } from "./checkpoint-socket.ts";
import { type Copied, decodeCopyFrame } from "./copy-frames.ts";
import type { CheckpointAnswer, KernelCheckpoint, RestoreOptions } from "./kernel-checkpoint.ts";

/** From a process to a kernel, with the options of the kernel that was copied. */
export type Connect = (runner: RunnerProcess, options: RestoreOptions) => Promise<Kernel>;

/** Where the copies of a kernel connect to. */
export function expectCopies(connect: Connect): CheckpointSocket {
  return new CheckpointSocket((socket) => RunnerCheckpoint.welcome(socket, connect));
}

/** A sleeping copy of a runner, over its one connection. The copy ends when that does. */
class RunnerCheckpoint implements KernelCheckpoint {
  readonly ended: Promise<void>;
  readonly #parent: KernelParent;
  readonly #connect: Connect;
  readonly #copied = deferred<Copied>();
  #facts: Copied = { t: "copy", pid: 0, count: 0, ms: 0 };
  #isDropped = false;

  private constructor(socket: Socket, connect: Connect) {
    this.#connect = connect;
    this.#parent = new KernelParent(socket);
    const lines = new LineSplitter((line) => {
      const frame = decodeCopyFrame(line);
      if (frame.t === "copy") this.#copied.resolve(frame);
      else this.#parent.take(frame);
    }, longestForkFrame);
    socket.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk);
      } catch {
        socket.destroy();
      }
    });
    this.#copied.promise.catch(() => undefined);
    this.ended = new Promise((resolve) => socket.once("close", () => resolve(this.#end())));
    socket.resume();
  }

  static async welcome(socket: Socket, connect: Connect): Promise<CheckpointAnswer> {
    const checkpoint = new RunnerCheckpoint(socket, connect);
    try {
      checkpoint.#facts = await checkpoint.#copied.promise;
      return checkpoint;
    } catch {
      return { whyNot: cameToNothing };
    }
  }

  get pid(): number {
    return this.#facts.pid;
  }

  get count(): number {
    return this.#facts.count;
  }

  get forkMs(): number {
    return this.#facts.ms;
  }

  async restore(options: RestoreOptions): Promise<Kernel> {
    const child = await this.#parent.fork(options.signal);
    return this.#connect(child.becomeKernel({ alone: options.isAlone }), options);
  }

  drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#parent.retire();
  }

  #end(): void {
    const gone = new Error("The checkpoint has ended.");
    this.#copied.reject(gone);
    this.#parent.end(gone);
  }
}
