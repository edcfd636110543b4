import type { Execution } from "../../session/execution/execution.ts";
import type { LeftRunning } from "../../shell/run-bash.ts";
import { BackgroundWork } from "./background-work.ts";

/** The commands of a toolbox, and what they have left in the background: all of it ends with the toolbox. */
export class RunningCommands {
  readonly #running = new Set<Execution>();
  readonly #left = new BackgroundWork();
  #isOver = false;

  add(command: Execution): void {
    this.#running.add(command);
    void command.result.then(() => this.#running.delete(command));
  }

  async leave(work: LeftRunning): Promise<void> {
    if (this.#isOver) await work.end();
    else await this.#left.add(work);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#running].map((command) => command.interrupt()));
    await this.#left.end();
  }
}
