import { CellAttempt, cellError } from "../../../execute/notebook/cell-attempt.ts";
import { executionTimes } from "../../../execute/notebook/check/execution-times.ts";
import { refuseOtherLanguages, withKernelMetadata } from "../../../execute/notebook/kernel-metadata.ts";
import { noteOf } from "../../../execute/notebook/kernel-name.ts";
import { sayMissingKernelspec } from "../../../execute/notebook/missing-kernelspec.ts";
import { cellLimit, RunOutputs } from "../../../execute/notebook/run-outputs.ts";
import type { KernelEvent } from "../../../kernel/events.ts";
import type { ExecuteOptions } from "../../../kernel/kernel.ts";
import type { NotebookOutput } from "../../../notebook/output.ts";
import type { Execution, ExecutionStatus } from "../../../session/execution/execution.ts";
import type { Session } from "../../../session/session.ts";
import type { CellKey } from "./document/keyed-notebook.ts";
import type { OpenDocument } from "./document/open-document.ts";
import { StreamTail } from "./paint/stream-tail.ts";

/** The state of a cell that was run here; other cells have none. */
export type CellRunState =
  | { readonly type: "waiting" }
  /** `since` is in milliseconds of `Date.now()`. */
  | { readonly type: "running"; readonly since: number }
  | { readonly type: "over"; readonly status: ExecutionStatus; readonly durationMs: number };

/** A cell's output that is not in the document yet. */
export interface LiveOutputs {
  readonly outputs: readonly NotebookOutput[];
  /** The end of the last output, when that is a long text stream. */
  readonly tail: string | null;
}

export interface CellRunsOptions {
  readonly maxCellMegabytes: number;
  readonly answer: NonNullable<ExecuteOptions["answer"]>;
  /** Called when the view has something new to show. */
  onChange(): void;
  /** Called when a cell has ended and its output is in the document. */
  onCellEnd(isLast: boolean): void;
  /** Shows a message to the person. */
  tell(sentence: string): void;
}

/** Runs cells of an open notebook one after the other and stores their outputs in it. */
export class CellRuns {
  readonly #session: Session;
  readonly #document: OpenDocument;
  readonly #options: CellRunsOptions;
  readonly #progress = new Map<CellKey, CellRunState>();
  readonly #unkept = new Set<CellKey>();
  readonly #tail = new StreamTail();
  readonly #pages = new Map<CellKey, readonly NotebookOutput[]>();
  readonly #stopListening: () => void;
  #waiting: CellKey[] = [];
  #running: CellKey | null = null;
  /** Whether the last cell ended the run with `sys.exit()`. */
  #hasExited = false;
  /** The execution of this view: others may use the same session. */
  #execution: Execution | null = null;
  #outputs: RunOutputs;
  #worker: Promise<void> | null = null;
  #hasNamedKernel = false;

  constructor(session: Session, document: OpenDocument, options: CellRunsOptions) {
    this.#session = session;
    this.#document = document;
    this.#options = options;
    this.#outputs = new RunOutputs(cellLimit(options.maxCellMegabytes));
    this.#stopListening = session.onBackground((text, name) => {
      this.#outputs.takeBackground(text, name);
      this.#noteChanges();
      if (this.#running === null) this.#keepOutputs();
    });
  }

  /** The running cell, if any. */
  get running(): CellKey | null {
    return this.#running;
  }

  /** How many cells are queued. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get isBusy(): boolean {
    return this.#running !== null || this.#waiting.length > 0;
  }

  /** Start time of the running cell; null when none runs. */
  get runningSince(): number | null {
    const progress = this.#running === null ? undefined : this.#progress.get(this.#running);
    return progress?.type === "running" ? progress.since : null;
  }

  progress(key: CellKey): CellRunState | undefined {
    return this.#progress.get(key);
  }

  /** Null when the document has them. */
  live(key: CellKey): LiveOutputs | null {
    if (!this.#unkept.has(key)) return null;
    return { outputs: this.#outputs.of(key), tail: key === this.#running ? this.#tail.text : null };
  }

  /** What the last run of a cell showed besides its outputs, such as the answer to `obj?`. It is not saved. */
  pages(key: CellKey): readonly NotebookOutput[] {
    return this.#pages.get(key) ?? [];
  }

  /** Queues these cells; a failed cell drops the rest of the queue. */
  run(keys: readonly CellKey[]): void {
    const whyNot = this.#whyNotPython();
    if (whyNot !== null) return this.#options.tell(whyNot);
    const isWaiting = new Set(this.#waiting);
    const more = keys.filter((key) => this.#isCode(key) && key !== this.#running && !isWaiting.has(key));
    if (more.length === 0) return;
    for (const key of more) this.#progress.set(key, { type: "waiting" });
    this.#waiting.push(...more);
    this.#worker ??= this.#work();
    this.#options.onChange();
  }

  /** Interrupts the running cell and empties the queue. */
  async interrupt(): Promise<void> {
    this.#dropWaiting();
    await this.#execution?.interrupt();
  }

  /** Restarts the kernel: outputs stay, variables are lost. */
  async restart(): Promise<void> {
    await this.stop();
    const { status, failure } = await this.#session.reset({ force: true }).result;
    this.#progress.clear();
    this.#pages.clear();
    this.#outputs = new RunOutputs(cellLimit(this.#options.maxCellMegabytes));
    this.#options.tell(
      status === "ok" ? "Python was restarted. All variables are lost." : (failure?.message ?? status),
    );
    this.#options.onChange();
  }

  /** Interrupts, and settles when the cell's output is in the document. */
  async stop(): Promise<void> {
    await this.interrupt();
    await this.#worker;
  }

  async close(): Promise<void> {
    await this.stop();
    this.#stopListening();
  }

  async #work(): Promise<void> {
    using _kernel = this.#session.hold();
    for (let key = this.#waiting.shift(); key !== undefined; key = this.#waiting.shift()) {
      this.#running = key;
      const status = await this.#runCell(key);
      this.#running = null;
      if (status !== "ok" || this.#hasExited) this.#stopAt(key);
      this.#options.onCellEnd(this.#waiting.length === 0);
      this.#options.onChange();
    }
    this.#worker = null;
  }

  async #runCell(key: CellKey): Promise<ExecutionStatus> {
    this.#hasExited = false;
    const source = this.#document.cell(key)?.source ?? "";
    if (source.trim() === "") {
      this.#progress.delete(key);
      return "ok";
    }
    this.#tail.clear();
    const attempt = new CellAttempt(this.#outputs, key, (text) => this.#tail.add(text));
    this.#execution = this.#session.run(source, {
      answer: this.#options.answer,
      uncaptured: true,
      onEvent: (event) => this.#take(key, attempt, event),
    });
    const result = await this.#execution.result;
    this.#execution = null;
    this.#hasExited = attempt.exits;
    const { status, failure, executionCount, durationMs } = result;
    const error = cellError(result, failure);
    if (result.attempts > 0 && error !== null) attempt.finish(error);
    this.#progress.set(key, { type: "over", status, durationMs });
    const saysAll = failure === null || result.ledger.state === "restored";
    const told = [...(failure === null ? [] : [failure.message]), ...(saysAll ? result.notices : [])];
    if (told.length > 0) this.#options.tell(told.join(" "));
    const { info } = this.#session.shared;
    await this.#tellMissingKernel();
    if (info !== null) this.#document.changeAll((notebook) => withKernelMetadata(notebook, info));
    this.#noteChanges();
    const above = this.#document.notebook.cells.slice(0, this.#document.indexOf(key));
    const note = noteOf(info, executionCount, above);
    this.#keepOutputs(key, { executionCount, metadata: { execution: executionTimes(attempt.times, source, note) } });
    return status;
  }

  async #take(key: CellKey, attempt: CellAttempt, event: KernelEvent): Promise<void> {
    if (event.type === "started") {
      this.#progress.set(key, { type: "running", since: event.at });
      this.#pages.delete(key);
    }
    if (event.type === "display" && event.page === true) return this.#takePage(key, event);
    if (event.type !== "stream") this.#tail.clear();
    const taken = attempt.take(event);
    if (taken !== undefined) await taken;
    this.#noteChanges();
  }

  async #takePage(key: CellKey, event: KernelEvent): Promise<void> {
    const page = await this.#outputs.whole(event);
    if (page.type !== "display") return;
    const { data, metadata } = page;
    this.#pages.set(key, [...this.pages(key), { output_type: "display_data", data, metadata }]);
    this.#options.onChange();
  }

  /** Includes earlier cells: this one may have updated their displays. */
  #noteChanges(): void {
    for (const key of this.#outputs.takeChanged()) this.#unkept.add(key);
    if (this.#running !== null && this.#progress.get(this.#running)?.type === "running")
      this.#unkept.add(this.#running);
    this.#options.onChange();
  }

  #keepOutputs(ended: CellKey | null = null, more: object = {}): void {
    for (const key of this.#unkept) {
      this.#document.keepRun(key, { ...(key === ended ? more : {}), outputs: this.#outputs.of(key) });
    }
    this.#unkept.clear();
  }

  async #tellMissingKernel(): Promise<void> {
    if (this.#hasNamedKernel) return;
    this.#hasNamedKernel = true;
    const sentence = await sayMissingKernelspec(this.#document.notebook, this.#session.shared.info);
    if (sentence !== null) this.#options.tell(sentence);
  }

  #stopAt(key: CellKey): void {
    const left = this.#waiting.length;
    if (left === 0) return;
    this.#dropWaiting();
    const notRun = left === 1 ? "the cell after it was not run" : `the ${left} cells after it were not run`;
    this.#options.tell(`Stopped at cell ${this.#document.indexOf(key)}: ${notRun}.`);
  }

  #dropWaiting(): void {
    for (const key of this.#waiting) this.#progress.delete(key);
    this.#waiting = [];
  }

  /** Refuses a notebook in another language than the kernel's, which would fail line by line. */
  #whyNotPython(): string | null {
    if ((this.#session.shared.info?.language ?? "python") !== "python") return null;
    try {
      refuseOtherLanguages(this.#document.notebook);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #isCode(key: CellKey): boolean {
    return this.#document.cell(key)?.type === "code";
  }
}
