import { signalGroup } from "../../../support/process/process-group.ts";
import type { RunnerExit, RunnerProcess } from "../spawn-runner.ts";
import type { Channels } from "./birthplace.ts";
import type { LiveRequest } from "./template-frames.ts";

/** A forked Python that waits until a kernel is needed. Until then it does not keep the host from ending. */
export class Newborn {
  readonly pid: number;
  readonly exited: Promise<RunnerExit>;
  readonly #channels: Channels;
  readonly #onLife: () => void;

  constructor(pid: number, channels: Channels, exited: Promise<RunnerExit>, onLife: () => void) {
    this.pid = pid;
    this.exited = exited;
    this.#channels = channels;
    this.#onLife = onLife;
  }

  /** Its answer is the `hello` of a runner. */
  live(life: Omit<LiveRequest, "op">): RunnerProcess {
    const { frames, control, interrupts } = this.#channels;
    // The receiver of the runner listens in time: nothing comes before the answer to what is written here.
    for (const socket of [frames, control, interrupts]) socket.ref().resume();
    this.#onLife();
    frames.write(`${JSON.stringify({ op: "live", ...life } satisfies LiveRequest)}\n`);
    const close = (): void => this.#close();
    return { pid: this.pid, inherited: null, frames, control, interrupts, exited: this.exited, close };
  }

  async end(): Promise<void> {
    signalGroup(this.pid, "SIGKILL");
    await this.exited;
    this.#close();
  }

  #close(): void {
    for (const socket of Object.values(this.#channels)) socket.destroy();
  }
}
