import type { KernelEvent, StreamName } from "../../kernel/events.ts";
import type { NotebookOutput } from "../../notebook/output.ts";
import { sayBytes } from "../../output/text/say-size.ts";
import { type CellOutput, CellOutputs, type OutputLimit, shownOutput, whole } from "../cell-outputs.ts";

/**
 * The outputs of the cells of one run. A later cell may update a display, and a thread may keep printing after its
 * cell, so an output is final only at the end of the run.
 */
export class RunOutputs {
  readonly #limit: OutputLimit;
  readonly #cells = new Map<number, CellOutputs>();
  readonly #changed = new Set<number>();
  #current = -1;

  constructor(limit: OutputLimit) {
    this.#limit = limit;
  }

  begin(index: number): void {
    // Final outputs are in the document by now.
    if (this.#cells.get(this.#current)?.canBeUpdated === false) this.#cells.delete(this.#current);
    this.#current = index;
    this.#cells.set(index, new CellOutputs(this.#limit));
    this.#changed.add(index);
  }

  /** Prepares an event for `take`. Call it before the next event is asked for. */
  whole(event: KernelEvent): KernelEvent | Promise<KernelEvent> {
    return whole(event, this.#limit);
  }

  take(event: KernelEvent): void {
    // A page, such as the answer to `obj?`, is for the reader and not for the document.
    if (event.type === "display" && event.page === true) return;
    if (event.type === "display" && event.displayId !== undefined) {
      // As in Jupyter, a display with a known id also updates the earlier ones.
      for (const [index, outputs] of this.#cells) if (outputs.update(shownOutput(event))) this.#changed.add(index);
    }
    const isOnlyUpdate = event.type === "display" && event.update;
    if (!isOnlyUpdate) this.#cells.get(this.#current)?.take(event);
  }

  /** Output between cells belongs to the last one. */
  takeBackground(text: string, name: StreamName): void {
    if (this.#current === -1) return;
    this.take({ type: "stream", name, text });
    this.#changed.add(this.#current);
  }

  of(index: number): readonly NotebookOutput[] {
    return (this.#cells.get(index)?.all ?? []).map(asNotebookOutput);
  }

  /** The cells whose outputs have changed since the last call. */
  takeChanged(): readonly number[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }
}

/** The limit of the setting `notebook.maxCellMegabytes`. */
export function cellLimit(megabytes = 100): OutputLimit {
  return {
    characters: megabytes * 1_000_000,
    sayLeftOut: (characters) =>
      `Only the first ${megabytes} MB of this cell's output are kept here; ${sayBytes(characters)} more are left out. ` +
      "The setting notebook.maxCellMegabytes allows more.",
  };
}

function asNotebookOutput(output: CellOutput): NotebookOutput {
  switch (output.type) {
    case "stream":
      return { output_type: "stream", name: output.name, text: output.text };
    case "display":
      return { output_type: "display_data", data: output.data, metadata: output.metadata };
    case "result": {
      const { data, metadata, executionCount = null } = output;
      return { output_type: "execute_result", data, metadata, execution_count: executionCount };
    }
    case "error":
      return { output_type: "error", ename: output.name, evalue: output.message, traceback: output.traceback };
  }
}
