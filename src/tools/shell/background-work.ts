import type { LeftRunning } from "../../shell/run-bash.ts";

/** Background processes of commands, so that they do not outlive the toolbox. */
export class BackgroundWork {
  #left: LeftRunning[] = [];

  async add(work: LeftRunning): Promise<void> {
    await this.#forgetEnded();
    this.#left.push(work);
  }

  async end(): Promise<void> {
    const left = this.#left;
    this.#left = [];
    await Promise.all(left.map((work) => work.end()));
  }

  /** Each holds a pipe and a watcher process. */
  async #forgetEnded(): Promise<void> {
    const ended = this.#left.filter((work) => work.pids().length === 0);
    this.#left = this.#left.filter((work) => !ended.includes(work));
    await Promise.all(ended.map((work) => work.end()));
  }
}
