import { cellLimit, RunOutputs } from "../../execute/notebook/run-outputs.ts";
import type { KernelEvent } from "../../kernel/events.ts";
import type { NotebookOutput } from "../../notebook/output.ts";

/** A cell that was run, as a notebook stores it. */
export interface RunRecord {
  readonly code: string;
  readonly executionCount: number | null;
  readonly outputs: readonly NotebookOutput[];
}

/** The most output per cell kept for `/save`: a person may run many cells in a day. */
const keptMegabytes = 4;

/** All cells that were run, with their outputs; a later cell may still update an earlier one's display. */
export class RunRecords {
  readonly #records: RunRecord[] = [];
  readonly #outputs = new RunOutputs(cellLimit(keptMegabytes));

  /** As they are now: cells may run while these are saved. */
  get all(): readonly RunRecord[] {
    return [...this.#records];
  }

  /** Makes a record for a shell command, at its start as for a cell; the returned function adds what the command printed. */
  beginShell(command: string): (printed: string) => void {
    const record = { code: `!${command}`, executionCount: null, outputs: [] };
    const index = this.#records.push(record) - 1;
    return (printed) => {
      if (printed === "") return;
      this.#records[index] = { ...record, outputs: [{ output_type: "stream", name: "stdout", text: printed }] };
    };
  }

  /** Makes a record for a cell about to run; the record takes the cell's events. */
  begin(code: string): (event: KernelEvent) => void | Promise<void> {
    let index: number | null = null;
    const take = (event: KernelEvent): void => {
      if (event.type === "started") {
        // A cell that crashed its kernel runs a second time.
        index ??= this.#records.push({ code, executionCount: null, outputs: [] }) - 1;
        this.#outputs.begin(index);
      }
      this.#outputs.take(event);
      if (event.type === "done" && index !== null) this.#finish(index, event.executionCount);
    };
    return (event) => {
      const whole = this.#outputs.whole(event);
      return whole instanceof Promise ? whole.then(take) : take(whole);
    };
  }

  #finish(index: number, executionCount: number | null): void {
    for (const changed of this.#outputs.takeChanged()) {
      const record = this.#records[changed] as RunRecord;
      this.#records[changed] = { ...record, outputs: this.#outputs.of(changed) };
    }
    this.#records[index] = { ...(this.#records[index] as RunRecord), executionCount };
  }
}
