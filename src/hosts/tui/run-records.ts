import { cellLimit, RunOutputs } from "../../execute/notebook/run-outputs.ts";
import type { KernelEvent } from "../../kernel/events.ts";
import type { NotebookOutput } from "../../notebook/output.ts";

/** Something that was run, as a notebook would hold it. */
export interface RunRecord {
  readonly code: string;
  readonly executionCount: number | null;
  readonly outputs: readonly NotebookOutput[];
}

/** How much of a cell's output is kept for `/save`: many cells may be run in a day. */
const keptMegabytes = 4;

/** Everything that was run, with its outputs; a later cell may still change what an earlier one displays. */
export class RunRecords {
  readonly #records: RunRecord[] = [];
  readonly #outputs = new RunOutputs(cellLimit(keptMegabytes));

  get all(): readonly RunRecord[] {
    return this.#records;
  }

  add(record: RunRecord): void {
    this.#records.push(record);
  }

  /** For a cell that is going to be run: takes its events. */
  begin(code: string): (event: KernelEvent) => void | Promise<void> {
    let index: number | null = null;
    const take = (event: KernelEvent): void => {
      if (event.type === "started") {
        // A cell that took its kernel down begins a second time.
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
