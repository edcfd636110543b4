import type { KernelEvent } from "../../kernel/events.ts";
import type { KernelInfo } from "../../kernel/kernel.ts";
import type { NotebookCell } from "../../notebook/cell.ts";
import type { CellRun } from "../../notebook/edit/write-outputs.ts";
import type { CellStatus } from "../../session/cell/cell-verdict.ts";
import type { CellOfNotebook, ExecutionResult } from "../../session/execution/execution.ts";
import type { Ledger } from "../../session/ledger.ts";
import type { Session } from "../../session/session.ts";
import { deferred } from "../../support/deferred.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import type { RunNotebookOptions } from "../run-notebook.ts";
import { CellAttempt, cellError } from "./cell-attempt.ts";
import { type CellTimes, executionTimes, type RunNote } from "./check/execution-times.ts";
import { withKernelMetadata } from "./kernel-metadata.ts";
import { noteOf } from "./kernel-name.ts";
import type { LiveDocument } from "./live-document.ts";
import { type CellReport, type NotebookRun, type RunFailure, reportOf } from "./notebook-run.ts";
import type { PlannedCell } from "./plan-cells.ts";
import { PutOff } from "./put-off.ts";
import { cellLimit, RunOutputs } from "./run-outputs.ts";
import type { KernelLeft } from "./unfinished-runs.ts";
import { type OutputDifference, outputDifference } from "./verify/comparable-outputs.ts";
import { verifyMarks } from "./verify/verify-marks.ts";

/** Runs the cells of a plan one after the other, and puts their outputs into the document. */
export class NotebookRunner {
  readonly #session: Session;
  readonly #document: LiveDocument;
  readonly #plan: readonly PlannedCell[];
  readonly #options: RunNotebookOptions;
  readonly #outputs: RunOutputs;
  readonly #notices = new Set<string>();
  #ledger: Ledger | null = null;
  #kernel: KernelInfo | null = null;
  #countBefore: number | null = null;
  #restoredTo: number | null = null;
  #lastNote: RunNote | null = null;
  readonly #storing = new PutOff();
  readonly #ended = deferred<void>();

  constructor(session: Session, document: LiveDocument, plan: readonly PlannedCell[], options: RunNotebookOptions) {
    this.#session = session;
    this.#document = document;
    this.#plan = plan;
    this.#options = options;
    this.#outputs = new RunOutputs(cellLimit(options.maxCellMegabytes));
  }

  async run(): Promise<NotebookRun> {
    try {
      return await this.#run();
    } finally {
      this.#ended.resolve();
    }
  }

  /** After the run. */
  get kernelLeft(): KernelLeft {
    const generation = this.#ledger?.generation ?? null;
    return { generation, countBefore: this.#countBefore ?? 0, restoredTo: this.#restoredTo };
  }

  async #run(): Promise<NotebookRun> {
    const wanted = this.#plan.filter(({ whySkipped }) => whySkipped === null);
    // Cells are queued one by one, and each needs the kernel of the cells before it.
    const { work, signal } = this.#options;
    using kernel = this.#session.shared.hold(work);
    if (work !== undefined && kernel.turn !== undefined) await unlessAborted(kernel.turn, signal);
    if (wanted.length > 0) await this.#document.requireWritable();
    const stopListening = this.#session.onBackground((text, name) => this.#outputs.takeBackground(text, name));
    const reports = new Map<PlannedCell, CellReport>();
    let end: End | null = this.#cancelled();
    let exited: PlannedCell | null = null;
    try {
      for (const [position, planned] of wanted.entries()) {
        if (end !== null) break;
        const place = { number: position + 1, of: wanted.length };
        this.#options.onProgress?.({ type: "cell-begins", cell: notRun(planned), ...place });
        const ran = await this.#runCell(planned, this.#placeOf(wanted, position));
        reports.set(planned, ran.report);
        this.#options.onProgress?.({ type: "cell-ends", cell: ran.report, ...place });
        end = ran.end ?? this.#cancelled();
        if (!ran.exits) continue;
        exited = planned;
        break;
      }
      this.#storing.doNow();
    } finally {
      stopListening();
      this.#storing.doNow();
      this.#keepOutputs();
      end = withFailure(end, await whyUnsaved(() => this.#document.save()));
    }
    if (end === null) end = withFailure(end, await whyUnsaved(() => this.#document.finish()));
    const cells = this.#plan.map((planned) => this.#compared(planned, reports.get(planned) ?? notRun(planned)));
    return {
      status: end?.status ?? "ok",
      savedTo: this.#document.savedTo,
      cells,
      failed: cells.find(({ index }) => index === end?.index) ?? null,
      exited: cells.find(({ index }) => index === exited?.index) ?? null,
      failure: end?.failure ?? null,
      kernel: this.#kernel,
      ledger: this.#ledger,
      notices: [...this.#notices],
    };
  }

  /** Undefined when its outputs go to no file. */
  #placeOf(cells: readonly PlannedCell[], position: number): CellOfNotebook | undefined {
    const path = this.#document.target;
    return path === null ? undefined : { path, cells, position, runEnded: this.#ended.promise };
  }

  async #runCell(planned: PlannedCell, notebook: CellOfNotebook | undefined): Promise<CellRan> {
    const { index, source } = planned;
    const isFirst = this.#ledger === null;
    const attempt = new CellAttempt(this.#outputs, index, (text) => this.#options.onProgress?.({ type: "text", text }));
    const { signal, timeoutMs, fresh, answer, work } = this.#options;
    let waits = false;
    let generation: number | null = null;
    const tellWaiting = (reason: string | null) => {
      waits = reason !== null;
      this.#options.onProgress?.({ type: "waiting", reason });
    };
    const onEvent = (event: KernelEvent) => {
      this.#kernel ??= this.#session.shared.info;
      if (event.type === "started") {
        generation = this.#session.shared.generation;
        this.#countBefore ??= this.#session.shared.executionCount;
      }
      if (waits) tellWaiting(null);
      this.#options.onEvent?.(event);
      this.#storing.doNow();
      return attempt.take(event);
    };
    // The document has all of the output, so the result keeps none.
    const outlives = work === undefined ? {} : ({ background: "later", partOf: work } as const);
    const options = {
      signal,
      timeoutMs,
      reset: fresh && isFirst,
      answer,
      onEvent,
      uncaptured: true,
      inSeries: !isFirst,
      notebook,
      ...outlives,
    };
    const result = await this.#session.run(source, { ...options, onWait: tellWaiting }).result;
    if (result.attempts === 0) {
      const end = endOf(result);
      return {
        report: { ...notRun(planned), error: cellError(result, end.failure) },
        end: { ...end, index },
        exits: false,
      };
    }

    const hasCrashed = generation !== null && generation !== result.ledger.generation;
    if (hasCrashed) this.#restoredTo = result.ledger.restoredTo ?? 0;
    const restart = this.#whyRestarted(result.ledger);
    this.#ledger = result.ledger;
    const failure = failureOf(result) ?? restart;
    const error = cellError(result, failure);
    if (error !== null) attempt.finish(error);
    const { executionCount } = result;
    const { times } = attempt;
    const store = () => this.#store(planned, times, executionCount, isFirst);
    let unsaved: RunFailure | null = null;
    if (this.#document.isSaveDue) {
      store();
      unsaved = await whyUnsaved(() => this.#document.save());
    } else this.#storing.putOff(store);

    const status = failure === null ? (result.status as CellStatus) : "failed";
    const saysAll = status === "ok" || result.ledger.state === "restored";
    if (saysAll) for (const notice of result.notices) this.#notices.add(notice);
    const { durationMs } = result;
    const report: CellReport = { ...notRun(planned), status, executionCount, durationMs, error };
    const goesOn = status === "ok" || (status === "error" && this.#mayRaise(planned));
    // `sys.exit()` is an exception: a cell that may raise may also exit, as in nbclient.
    const exits = attempt.exits && status === "ok" && !this.#mayRaise(planned);
    return { report, end: withFailure(goesOn ? null : { status, failure, index }, unsaved), exits };
  }

  #store({ index, source }: PlannedCell, ran: CellTimes, executionCount: number | null, isFirst: boolean): void {
    const kernel = this.#kernel;
    if (isFirst && kernel !== null) this.#document.change((notebook) => withKernelMetadata(notebook, kernel));
    const note = this.#note(index, executionCount);
    const times = this.#options.recordTimes === false ? undefined : executionTimes(ran, source, note);
    this.#keepOutputs(index, { executionCount, metadata: { execution: times } });
    this.#document.planSave();
  }

  /** Cells run from top to bottom, so only the first needs a lookup. */
  #note(index: number, count: number | null): RunNote | null {
    if (this.#lastNote === null) {
      const above = this.#plan
        .filter((planned) => planned.index < index)
        .map((planned) => this.#document.cell(planned.index));
      this.#lastNote = noteOf(
        this.#kernel,
        count,
        above.filter((cell) => typeof cell !== "string"),
      );
    } else if (count !== null) this.#lastNote = { ...this.#lastNote, count, before: this.#lastNote.count };
    return count === null ? null : this.#lastNote;
  }

  #mayRaise({ cell }: PlannedCell): boolean {
    const { allowErrors } = this.#options;
    if (allowErrors === true || cell.tags.includes("raises-exception")) return true;
    return allowErrors === "where-stored" && cell.outputs.some(({ output_type }) => output_type === "error");
  }

  /** A cell in another kernel would miss the variables of the cells before it. */
  #whyRestarted({ generation, reason, state }: Ledger): RunFailure | null {
    if (this.#ledger === null || this.#ledger.generation === generation) return null;
    const why = reason === null ? "" : ` ${reason}`;
    const which = state === "restored" ? "some variables of the cells before" : "the variables of the cells before";
    const message = `Python was restarted while the notebook ran, and ${which} are gone.${why}`;
    return { code: "kernel-restarted", message };
  }

  /**
   * Also of earlier cells: this one may have updated what they display.
   * @param ran the cell that has just ended, and what else there is to keep of it
   */
  #keepOutputs(ran: number | null = null, more: Partial<CellRun> = {}): void {
    for (const index of this.#outputs.takeChanged()) {
      this.#document.write(index, { ...(index === ran ? more : {}), outputs: this.#outputs.of(index) });
    }
  }

  #cancelled(): End | null {
    return this.#options.signal?.aborted ? { status: "cancelled", failure: null, index: null } : null;
  }

  /** Known only at the end: other programs may have edited the cell, and later cells may have updated its displays. */
  #compared({ index, cell }: PlannedCell, report: CellReport): CellReport {
    if (report.status === "skipped" || report.status === "not-run") return report;
    const now = this.#document.cell(index);
    if (typeof now === "string") return { ...report, stored: now };
    const difference = this.#difference(cell, now);
    const stored = this.#document.isUnsaved(index) ? "unsaved" : "stored";
    return { ...report, stored, difference, outputsChanged: difference !== null };
  }

  #difference(before: NotebookCell, now: NotebookCell): OutputDifference | null {
    const { verify } = this.#options;
    if (verify === undefined) return outputDifference(before, now);
    const marks = verifyMarks(before);
    return marks.ignoresOutput ? null : outputDifference(before, now, [...(verify.ignore ?? []), ...marks.ignore]);
  }
}

/** Settles with the promise, or when the caller wants no more. */
async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  const settled = deferred<void>();
  const settle = () => settled.resolve();
  if (signal?.aborted) settle();
  signal?.addEventListener("abort", settle, { once: true });
  void promise.then(settle);
  await settled.promise;
  signal?.removeEventListener("abort", settle);
}

interface CellRan {
  readonly report: CellReport;
  readonly end: End | null;
  /** Whether the code ended the notebook. */
  readonly exits: boolean;
}

/** A failure that ended a run before its last cell. */
interface End {
  readonly status: CellStatus;
  readonly failure: RunFailure | null;
  readonly index: number | null;
}

/** A failed save ends the run; the results of its cells are still reported. */
async function whyUnsaved(save: () => Promise<void>): Promise<RunFailure | null> {
  try {
    await save();
    return null;
  } catch (error) {
    if (!isGranaryError(error)) throw error;
    const { code, message, details } = error;
    // The message is about one save, after others that succeeded.
    return { code, message: typeof details.why === "string" ? details.why : message };
  }
}

/** The cell's own result is the verdict; a failed save is reported beside it. */
function withFailure(end: End | null, failure: RunFailure | null): End | null {
  if (failure === null) return end;
  return end === null ? { status: "failed", failure, index: null } : { ...end, failure: end.failure ?? failure };
}

function endOf(result: ExecutionResult): Omit<End, "index"> {
  const { status } = result;
  return { status: status === "skipped" || status === "ok" ? "failed" : status, failure: failureOf(result) };
}

function failureOf({ failure }: ExecutionResult): RunFailure | null {
  return failure && { code: failure.code, message: failure.message };
}

function notRun({ index, id, source, whySkipped }: PlannedCell): CellReport {
  const report = reportOf({ index, id, source });
  return whySkipped === null ? report : { ...report, status: "skipped", whySkipped };
}
