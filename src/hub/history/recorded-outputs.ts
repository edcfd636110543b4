import { type OutputLimit, whole } from "../../execute/cell-outputs.ts";
import { RunOutputs } from "../../execute/notebook/run-outputs.ts";
import type { KernelEvent } from "../../kernel/events.ts";
import type { NotebookOutput } from "../../notebook/output.ts";
import { sayBytes } from "../../output/text/say-size.ts";

/** Text and displays of a cell together; a history of 8 MB has room for a few cells that are as large. */
const limit: OutputLimit = {
  characters: 400_000,
  sayLeftOut: (characters) => `The history leaves out ${sayBytes(characters)} of this cell's output.`,
};

/** The outputs of one cell as a notebook has them, for any client, also where the result keeps none. */
export class RecordedOutputs {
  readonly #outputs = new RunOutputs(limit);

  /** Waits only for contents that are in files. */
  take(event: KernelEvent): void | Promise<void> {
    const read = whole(event, limit);
    return read instanceof Promise ? read.then((complete) => this.#take(complete)) : this.#take(read);
  }

  get all(): readonly NotebookOutput[] {
    return this.#outputs.of(0);
  }

  #take(event: KernelEvent): void {
    // A cell that ended its kernel may be tried again.
    if (event.type === "started") this.#outputs.begin(0);
    else this.#outputs.take(event);
  }
}
