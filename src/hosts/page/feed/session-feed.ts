import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import type { LateDisplay } from "../../../kernel/kernel.ts";
import { withLargeContents } from "../../../kernel/large-content.ts";
import { sayUndone } from "../../../session/checkpoints/say-undone.ts";
import type { Execution, ExecutionResult } from "../../../session/execution/execution.ts";
import type { LocalSession } from "../../../session/local-session.ts";
import type { SessionObserver } from "../../../session/observers.ts";
import type { CellHead, PageCell, PageOutput } from "../api/cells.ts";
import type { SessionEvent } from "../api/events.ts";
import { CellRecord } from "./cell-record.ts";
import { outputsSoFar } from "./past-cell.ts";

/** In bytes: larger forms of a display stay out of the page. */
const largestForm = 5_000_000;
/** Cells that a session keeps in memory for its readers; older cells are in the history on disk. */
const mostCells = 200;
const mostCharacters = 8_000_000;
/** Text of this time is sent in one event. */
const flushMs = 50;

/** The cells of one session as they run, for any number of readers. */
export class SessionFeed implements SessionObserver {
  readonly #records = new Map<string, CellRecord>();
  readonly #readers = new Set<(event: SessionEvent) => void>();
  #session: LocalSession | null = null;
  #stopObserving: () => void = () => {};
  #flushing: NodeJS.Timeout | null = null;

  /** Follows a session, which may be another one of the same name as before. */
  observe(session: LocalSession): void {
    if (this.#session === session) return;
    this.#stopObserving();
    this.#session = session;
    this.#stopObserving = session.observe(this);
    for (const execution of session.work) this.add(execution);
  }

  get session(): LocalSession | null {
    return this.#session;
  }

  get cells(): readonly PageCell[] {
    return [...this.#records.values()].map(({ cell }) => cell);
  }

  /** The outputs so far of a cell; null when it is not in memory. */
  outputsOf(id: string): readonly PageOutput[] | null {
    return this.#records.get(id)?.cell.outputs ?? null;
  }

  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  /** The reader gets every event from now on. What it has seen so far is `cells`. */
  read(reader: (event: SessionEvent) => void): () => void {
    this.#flushAll();
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** A cell that was queued, or that runs already. */
  add(execution: Execution): void {
    if (execution.cell.code === "" || this.#records.has(execution.id)) return;
    const record = new CellRecord(headOf(execution), outputsSoFar(execution.output));
    this.#records.set(execution.id, record);
    this.tell(record.change({}));
    this.onQuestion(execution);
    void this.#followBeginning(execution, record);
    void execution.result.then((result) => this.#over(execution, record, result));
  }

  change(id: string, changes: Partial<CellHead>): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.tell(record.change(changes));
  }

  /** Also of cells that only the history on disk has. */
  mark(cells: readonly string[], undone: CellHead["undone"]): void {
    if (cells.length === 0) return;
    for (const id of cells) this.#records.get(id)?.change({ undone });
    this.tell([{ type: "undone", cells, undone }]);
  }

  tell(events: readonly SessionEvent[]): void {
    for (const event of events) for (const reader of this.#readers) reader(event);
  }

  onEvent(execution: Execution, event: KernelEvent): void | Promise<void> {
    const record = this.#records.get(execution.id);
    if (record === undefined) return;
    const isLarge = (event.type === "display" || event.type === "result") && event.large !== undefined;
    if (isLarge) return withLargeContents(event, () => largestForm).then((whole) => this.#take(record, whole));
    this.#take(record, event);
  }

  onBackground(text: string, name: StreamName): void {
    const last = [...this.#records.values()].at(-1);
    if (last !== undefined) this.#print(last, name, text);
  }

  onLateDisplay(event: LateDisplay): void {
    const id = event.displayId;
    const all = [...this.#records.values()];
    const shown = id === undefined ? undefined : all.findLast((record) => record.shows(id));
    const record = shown ?? all.at(-1);
    if (record !== undefined) this.tell(record.show({ ...event, update: event.update && shown !== undefined }));
  }

  onQuestion({ id, question }: Execution): void {
    this.change(id, { question: question && { prompt: question.prompt, password: question.password } });
  }

  close(): void {
    this.#stopObserving();
    if (this.#flushing !== null) clearTimeout(this.#flushing);
  }

  async #followBeginning(execution: Execution, record: CellRecord): Promise<void> {
    for await (const event of execution) {
      if (event.type === "waiting") this.tell(record.change({ notice: event.reason }));
      if (event.type === "running" || event.type === "over") return;
    }
  }

  #take(record: CellRecord, event: KernelEvent): void {
    switch (event.type) {
      case "started": {
        const generation = this.#session?.generation ?? null;
        return this.tell(record.change({ state: "running", startedAt: event.at, notice: null, generation }));
      }
      case "stream":
        return this.#print(record, event.name, event.text);
      case "display":
        return event.update && !this.#isOwn(record, event.displayId)
          ? this.onLateDisplay(event)
          : this.#show(record, event);
      case "result":
        return this.#show(record, event);
      case "clear":
        return this.tell(record.clear(event.wait));
      case "error":
        return this.tell(record.fail(event));
      default:
    }
  }

  #isOwn(record: CellRecord, displayId: string | undefined): boolean {
    return displayId !== undefined && record.shows(displayId);
  }

  #show(record: CellRecord, event: Extract<KernelEvent, { type: "display" | "result" }>): void {
    this.tell(record.show(event));
    if (record.hasUnsent) this.#flushSoon();
  }

  #print(record: CellRecord, name: StreamName, text: string): void {
    this.tell(record.print(name, text));
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#flushing ??= setTimeout(() => this.#flushAll(), flushMs).unref();
  }

  #flushAll(): void {
    if (this.#flushing !== null) clearTimeout(this.#flushing);
    this.#flushing = null;
    for (const record of this.#records.values()) if (record.hasUnsent) this.tell(record.flush());
  }

  #over(execution: Execution, record: CellRecord, result: ExecutionResult): void {
    this.tell(record.flush());
    const { status, failure, executionCount, durationMs, ledger, truncation } = result;
    if (failure !== null) this.tell(record.fail({ name: failure.code, message: failure.message, traceback: [] }));
    const artifact = truncation?.artifact ?? execution.artifact;
    this.tell(
      record.change({
        ...{ state: status, durationMs, count: executionCount, generation: ledger.generation, question: null },
        notice: ledger.state === "restarted" || ledger.state === "restored" ? ledger.reason : null,
        undone: execution.undone && sayUndone(execution.undone),
        artifact: artifact?.replace(/^artifact:\/\//, "") ?? null,
      }),
    );
    this.#dropOld();
  }

  #dropOld(): void {
    let characters = [...this.#records.values()].reduce((sum, { weight }) => sum + weight, 0);
    for (const [id, record] of this.#records) {
      if (this.#records.size <= mostCells && characters <= mostCharacters) return;
      if (record.head.durationMs === null) continue;
      characters -= record.weight;
      this.#records.delete(id);
    }
  }
}

function headOf({ id, by, cell, status, startedAt, undone }: Execution): CellHead {
  return {
    ...{ id, by: by ?? "granary", code: cell.code, title: cell.title ?? null, startedAt },
    state: status,
    ...{ durationMs: null, count: null, generation: null, notice: null, question: null, artifact: null },
    undone: undone && sayUndone(undone),
  };
}
