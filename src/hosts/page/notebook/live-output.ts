import type { KernelEvent } from "../../../kernel/events.ts";
import type { CellHead, PageOutput } from "../api/cells.ts";
import type { NotebookEvent } from "../api/notebooks.ts";
import { CellRecord } from "../feed/cell-record.ts";

/** Text of this time is sent in one event. */
const flushMs = 50;

/** The output of the running cell of a notebook, as it comes. It is in the file when the cell has ended. */
export class LiveOutput {
  readonly key: string;
  readonly #record: CellRecord;
  readonly #tell: (event: NotebookEvent) => void;
  #flushing: NodeJS.Timeout | undefined;

  constructor(key: string, tell: (event: NotebookEvent) => void) {
    this.key = key;
    this.#tell = tell;
    this.#record = new CellRecord(headOf(key));
    tell({ type: "clear", cell: key });
  }

  get outputs(): readonly PageOutput[] {
    return this.#record.cell.outputs;
  }

  take(event: KernelEvent): void {
    switch (event.type) {
      case "stream":
        this.#send(this.#record.print(event.name, event.text));
        this.#flushing ??= setTimeout(() => this.flush(), flushMs).unref();
        return;
      case "display":
      case "result":
        return this.#send(this.#record.show(event));
      case "clear":
        return this.#send(this.#record.clear(event.wait));
      case "error":
        return this.#send(this.#record.fail(event));
      default:
    }
  }

  flush(): void {
    clearTimeout(this.#flushing);
    this.#flushing = undefined;
    this.#send(this.#record.flush());
  }

  #send(events: ReturnType<CellRecord["flush"]>): void {
    for (const event of events) {
      if (event.type === "text" || event.type === "output" || event.type === "clear") this.#tell(event);
    }
  }
}

function headOf(id: string): CellHead {
  return {
    ...{ id, by: "page", code: "", title: null, state: "running", startedAt: null, durationMs: null, count: null },
    ...{ generation: null, notice: null, question: null, artifact: null },
  };
}
