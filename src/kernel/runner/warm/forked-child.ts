import { newKernelMark } from "../../../support/process/kernel-mark.ts";
import { signalGroup } from "../../../support/process/process-group.ts";
import type { RunnerExit, RunnerProcess } from "../spawn-runner.ts";
import type { Channels } from "./fork-socket.ts";
import type { BecomeKernelRequest, Beginning } from "./template-frames.ts";

/** A forked Python that waits until a kernel is needed. Until then it does not keep the host from ending. */
export class ForkedChild {
  readonly pid: number;
  readonly exited: Promise<RunnerExit>;
  readonly #channels: Channels;
  readonly #onUse: () => void;

  constructor(pid: number, channels: Channels, exited: Promise<RunnerExit>, onUse: () => void) {
    this.pid = pid;
    this.exited = exited;
    this.#channels = channels;
    this.#onUse = onUse;
  }

  /** Its answer is the `hello` of a runner. */
  becomeKernel(beginning: Beginning): RunnerProcess {
    const { frames, control, interrupts } = this.#channels;
    // The receiver of the runner listens in time: nothing comes before the answer to what is written here.
    for (const socket of [frames, control, interrupts]) socket.ref().resume();
    this.#onUse();
    const mark = process.platform === "linux" ? newKernelMark() : null;
    const request = { op: "become-kernel", ...beginning, mark } satisfies BecomeKernelRequest;
    frames.write(`${JSON.stringify(request)}\n`);
    const close = (): void => this.#close();
    return {
      pid: this.pid,
      pythonPid: this.pid,
      inherited: null,
      frames,
      control,
      interrupts,
      exited: this.exited,
      mark,
      close,
    };
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
