import type { CallDispatcher } from "../../bridge/call-dispatcher.ts";
import { KernelError } from "../../kernel/errors.ts";
import type { KernelEvent, LargeContent } from "../../kernel/events.ts";
import { answeredElsewhere, type Kernel } from "../../kernel/kernel.ts";
import { withLargeContents } from "../../kernel/large-content.ts";
import type { Capture } from "../../output/capture.ts";
import { deadlineAfter } from "../../support/deadline.ts";
import { deferred } from "../../support/deferred.ts";
import type { Timeline } from "../checkpoints/timeline.ts";
import type { Execution, ExecutionResult } from "../execution/execution.ts";
import { neverRan } from "../execution/not-run.ts";
import type { SharedRunOptions } from "../execution/run-options.ts";
import { hitLimit, othersFirst, ranTwice, timedOut, tooManyRestarts } from "../execution/run-sentences.ts";
import { failureOf } from "../failure.ts";
import type { BackgroundOutput } from "../kernel-life/background-output.ts";
import type { AwaitedBeginning } from "../kernel-life/heartbeat.ts";
import type { LifeCycle } from "../kernel-life/life.ts";
import { ensureKernel, type Provision, type Succession } from "../kernel-life/succession.ts";
import { endOfCall, ledgerNotices, type SeenGeneration, takeStock } from "../ledger.ts";
import type { SessionObservers } from "../observers.ts";
import { type HostNews, hostNews, hostNewsType, type PythonTools } from "../python-tools.ts";
import type { Conclusion } from "./cell-queue.ts";
import type { Verdict } from "./cell-verdict.ts";
import { runCell, type TimeBudget } from "./run-cell.ts";

/** The parts of a session that run a cell. */
export interface RunContext {
  readonly kernels: Succession;
  readonly life: LifeCycle;
  readonly background: BackgroundOutput;
  readonly beginning: AwaitedBeginning;
  readonly calls: CallDispatcher;
  /** Null without any. */
  observers(): SessionObservers | null;
  readonly pythonTools: PythonTools;
  readonly provision: Provision;
  readonly timeline: Timeline | null;
  readonly crashRetry: "once" | "never";
  readonly capture: Capture;
  readonly seen: SeenGeneration;
  /** Sentences about the kernel's start that no result has reported yet. */
  takeNotices(): readonly string[];
  /** Sentences about the output of a command that failed. */
  explain(output: string): readonly string[];
  /** Called when Python begins the cell, and when it has its number. */
  onLine(execution: Execution, count: number | null): void;
  /** Whether the kernel is to be ended with this cell. */
  isLastOfCall(): boolean;
  /** Whether the session is: there is no next cell then. */
  isClosed(): boolean;
}

/** Runs one cell in the session's kernel, or in the next one. The result reports the state of both. */
export async function runToResult(
  execution: Execution,
  options: SharedRunOptions,
  context: RunContext,
): Promise<Conclusion> {
  execution.captureWith(context.capture);
  if (options.hardLimitMs === undefined) {
    // A signal that others are made from, as for a timeout, keeps them.
    const mayTimeOut = options.timeoutMs !== undefined || options.time !== undefined;
    const signal = mayTimeOut ? execution.signal : execution.signalWhileRunning;
    return new Run(execution, options, context, signal).toResult();
  }
  using limit = deadlineAfter(options.hardLimitMs, execution.signal);
  return await new Run(execution, options, context, limit.signal).toResult(() => limit.hasPassed);
}

class Run {
  readonly #execution: Execution;
  readonly #options: SharedRunOptions;
  readonly #context: RunContext;
  readonly #signal: AbortSignal;
  readonly #time: TimeBudget;
  #attempts = 0;
  #isFirst = false;
  /** The kernel had the cell, and did not begin it for a while. */
  #hasWaited = false;
  #whyStopped: string | null = null;
  readonly #explanations = new Set<string>();
  /** The kernel that had run cells since its beginning before it got this one; 0 for none. */
  #movedOn = 0;

  constructor(execution: Execution, options: SharedRunOptions, context: RunContext, signal: AbortSignal) {
    this.#execution = execution;
    this.#options = options;
    this.#context = context;
    this.#signal = signal;
    this.#time = options.time ?? { leftMs: options.timeoutMs ?? Number.POSITIVE_INFINITY };
  }

  async toResult(hitHardLimit: () => boolean = () => false): Promise<Conclusion> {
    const ending = await this.#toEnding();
    const { timeoutMs, hardLimitMs } = this.#options;
    const ranIntoLimit = ending.status === "cancelled" && hitHardLimit();
    if (ranIntoLimit && hardLimitMs !== undefined) await this.#context.capture.note(hitLimit(hardLimitMs));
    if (ending.status === "timeout" && timeoutMs !== undefined)
      await this.#context.capture.note(timedOut(timeoutMs, this.#attempts > 0));
    return this.#finish(ranIntoLimit ? { ...ending, status: "timeout" } : ending);
  }

  async #toEnding(): Promise<Ending> {
    try {
      return await this.#runUntilItStays();
    } catch (error) {
      if (this.#signal.aborted) return { ...neverRan, status: "cancelled" };
      return { ...neverRan, status: "failed", failure: failureOf(error) };
    }
  }

  /** Once; or twice, when the first kernel did not survive it. */
  async #runUntilItStays(): Promise<Ending> {
    const { kernels, crashRetry, capture } = this.#context;
    const { onlyIn } = this.#options;
    for (let deaths = 0; ; ) {
      const attemptsBefore = this.#attempts;
      const kernel = onlyIn ?? (await this.#kernel());
      const verdict = await this.#runOn(kernel);
      const problem = verdict.status === "failed" ? verdict.kernelError : null;
      const kernelLives = kernels.kernel === kernel;
      if (problem !== null && onlyIn !== undefined) return { ...verdict, failure: failureOf(problem) };
      const mayHaveBegun = this.#attempts > attemptsBefore || (problem !== null && mayHaveBegunUnseen(problem));
      const isRestored = !kernelLives && mayHaveBegun && (await this.#takeOver());
      if (problem === null) return { ...verdict, failure: null };
      if (kernelLives) return { ...verdict, failure: failureOf(problem) };
      if (isRestored) return { ...verdict, failure: failureOf(survived(problem)) };
      if (mayHaveBegun && crashRetry === "never") return { ...verdict, failure: failureOf(problem) };
      deaths += 1;
      if (deaths > 1) return { ...verdict, failure: failureOf(tooManyRestarts(problem)) };
      if (!mayHaveBegun) continue;
      const sentence = ranTwice(problem);
      await capture.note(sentence);
      await this.#options.onRetry?.(sentence);
    }
  }

  /** The kernel is lost: another one takes over, as it was at the newest checkpoint. Nothing is run again. */
  async #takeOver(): Promise<boolean> {
    const { timeline, kernels, isClosed } = this.#context;
    if (!timeline?.hasCheckpoint || isClosed()) return false;
    // Not with the signal of the cell, which may have stopped it.
    await this.#kernel(new AbortController().signal).catch(() => undefined);
    return kernels.restored !== null;
  }

  async #kernel(signal = this.#signal): Promise<Kernel> {
    const { kernels, provision } = this.#context;
    const { generation } = kernels;
    const onWait = (reason: string): void => {
      this.#execution.tell({ type: "waiting", reason });
      this.#options.onWait?.(reason);
    };
    const kernel = await ensureKernel(kernels, provision, signal, onWait);
    if (kernels.generation > generation) this.#isFirst = true;
    return kernel;
  }

  async #runOn(kernel: Kernel): Promise<Verdict> {
    const { kernels, life, beginning } = this.#context;
    // It may have died since it was found alive.
    if (kernels.kernel !== kernel) return diedUnused(kernels.whyGone);
    this.#movedOn = kernels.executionCount > (kernels.restored?.count ?? 0) ? kernels.generation : 0;
    life.move("executing");
    this.#execution.tell({ type: "running", generation: kernels.generation });
    const onWait = (reason: string): void => {
      this.#hasWaited = true;
      this.#execution.tell({ type: "waiting", reason });
    };
    beginning.sent(onWait);
    let isOver = false;
    try {
      const { timeline } = this.#context;
      // An undo must not undo a question.
      const isQuestion = this.#options.terms?.silent === true;
      const { inSeries } = this.#options;
      const onCheckpoint = timeline === null || isQuestion ? undefined : await timeline.beforeCell(kernel, inSeries);
      const { code, sent = code } = this.#execution.cell;
      const verdict = await runCell(kernel, sent, {
        signal: this.#signal,
        time: this.#time,
        answer: this.#options.answer && ((...question) => this.#ask(...question)),
        env: this.#options.env,
        terminal: this.#options.terminal,
        forms: this.#options.forms ?? (this.#isFollowed ? "all" : "readable"),
        terms: this.#options.terms,
        calls: this.#context.calls,
        onCheckpoint,
        onFailedCommand: (output) => {
          for (const sentence of this.#context.explain(output)) this.#explanations.add(sentence);
        },
        onInterrupt: () => {
          if (life.state === "executing") life.move("interrupted");
        },
        onTurn: (isOurs) => {
          if (!isOurs) onWait(othersFirst);
        },
        onEvent: (event) => this.#take(event),
      });
      isOver = true;
      const wasStopped = this.#attempts > 0 && (verdict.status === "timeout" || verdict.status === "cancelled");
      if (wasStopped) this.#whyStopped = stopped[verdict.status];
      if (verdict.kernelError?.code === "kernel-died") kernels.giveUp(kernel, whyItDied(verdict.kernelError));
      return verdict;
    } finally {
      beginning.settled();
      // The event listener has thrown, and the cell was interrupted.
      if (!isOver) this.#whyStopped = "The listener to the cell's events failed.";
      if (kernel.state === "dead") await kernel.exited;
      if (kernels.kernel === kernel) life.move("ready");
    }
  }

  async #ask(prompt: string, password: boolean, signal: AbortSignal): Promise<string> {
    const elsewhere = deferred<string>();
    const withdrawn = new AbortController();
    const answer = (text: string): void => {
      elsewhere.resolve(text);
      withdrawn.abort(answeredElsewhere);
    };
    this.#setQuestion({ prompt, password, answer });
    const own = this.#options.answer?.(prompt, password, AbortSignal.any([signal, withdrawn.signal]));
    own?.catch(() => {});
    try {
      return await Promise.race([own ?? "", elsewhere.promise]);
    } finally {
      this.#setQuestion(null);
    }
  }

  #setQuestion(question: Execution["question"]): void {
    this.#execution.question = question;
    this.#context.observers()?.questionChanged(this.#execution);
  }

  /** Waits only where there is something to wait for: there are many events, and most are taken at once. */
  #take(event: KernelEvent): void | Promise<void> {
    if (event.type === "started") {
      this.#attempts += 1;
      this.#noteInLine(null);
      this.#context.beginning.settled();
      if (this.#hasWaited) this.#execution.tell({ type: "running", generation: this.#context.kernels.generation });
      this.#hasWaited = false;
    }
    if (event.type === "done" && event.executionCount !== null) {
      this.#context.kernels.executionCount = event.executionCount;
      this.#noteInLine(event.executionCount);
    }
    const ready = withShownContents(event);
    return ready instanceof Promise ? ready.then((shown) => this.#hand(shown)) : this.#hand(ready);
  }

  /** A question changes no variables. */
  #noteInLine(count: number | null): void {
    if (this.#options.terms?.silent !== true) this.#context.onLine(this.#execution, count);
  }

  #hand(event: KernelEvent): void | Promise<void> {
    const news = hostNews(event);
    if (news !== null) return this.#hear(news);
    const recorded = this.#execution.recorder?.(event);
    const told = this.#context.observers()?.tell(this.#execution, event);
    if (recorded === undefined && told === undefined) return this.#handOn(event);
    return Promise.all([recorded, told]).then(() => this.#handOn(event));
  }

  /** Whether a reader may store the bundles. */
  get #isFollowed(): boolean {
    return this.#options.onEvent !== undefined || this.#context.observers() !== null;
  }

  #handOn(event: KernelEvent): void | Promise<void> {
    const captured = this.#context.capture.take(event);
    if (captured === undefined) return this.#options.onEvent?.(event, undefined, undefined);
    return captured.then((rendered) => this.#options.onEvent?.(event, rendered?.text, rendered?.shown ?? undefined));
  }

  #hear(news: HostNews): void {
    if (news.op === "tools") this.#context.pythonTools.replace(news.tools);
    else this.#options.onReturned?.(news.value);
  }

  async #finish({ status, error, failure, executionCount, durationMs, stdinRequested }: Ending): Promise<Conclusion> {
    const { kernels, background, capture, seen, takeNotices, isLastOfCall, isClosed } = this.#context;
    if (isLastOfCall()) await kernels.end(endOfCall);
    // One by one below, because a spread would cost more than everything else here.
    const { parts, output, displays, exceptions, totalLines, totalBytes, truncation } = await capture.finish();
    return () => {
      const ledger = takeStock(kernels, seen, { isFirst: this.#isFirst, whyStopped: this.#whyStopped });
      const movedOn = this.#movedOn === ledger.generation;
      const told = { isClosed: isClosed(), failure: failure?.message ?? null, lost: kernels.restored?.lost, movedOn };
      return {
        parts,
        output,
        displays,
        exceptions,
        totalLines,
        totalBytes,
        truncation,
        status,
        cancelled: status === "timeout" || status === "cancelled",
        error,
        failure,
        executionCount,
        durationMs,
        stdinRequested,
        attempts: this.#attempts,
        background: background.take(),
        ledger,
        notices: [
          ...(this.#options.notices ?? []),
          ...takeNotices(),
          ...this.#explanations,
          ...ledgerNotices(ledger, seen, told),
        ],
      };
    };
  }
}

type Ending = Pick<
  ExecutionResult,
  "status" | "error" | "failure" | "executionCount" | "durationMs" | "stdinRequested"
>;

const stopped = { timeout: "The cell ran out of time.", cancelled: "The cell was interrupted." };

function mayHaveBegunUnseen({ code, details }: KernelError): boolean {
  return code === "kernel-died" && details.started !== false;
}

function whyItDied({ details, message }: KernelError): string {
  return details.exit?.summary ?? message;
}

/** The same error, without the sentence that variables are gone. */
function survived(death: KernelError): KernelError {
  return new KernelError(death.code, whyItDied(death), { details: death.details, cause: death });
}

function diedUnused(why: string | null): Verdict {
  const kernelError = new KernelError("kernel-closed", why ?? "Python ended before the cell could begin.");
  return { ...neverRan, status: "failed", kernelError };
}

/**
 * The event with the large contents that are shown in `data`: pictures, and values that can be summarised.
 * The others stay in files, for consumers that store them.
 */
function withShownContents(event: KernelEvent): KernelEvent | Promise<KernelEvent> {
  if ((event.type !== "display" && event.type !== "result") || event.large === undefined) return event;
  return withLargeContents(event, mostBytes);
}

/** Parsing JSON blocks the event loop. Plain text already has an excerpt. */
function mostBytes(mimeType: string, { isJson }: LargeContent): number {
  if (mimeType === "image/png" || mimeType === "image/jpeg") return 16_000_000;
  if (mimeType === hostNewsType) return 16_000_000;
  return isJson || mimeType === "text/html" || mimeType === "text/markdown" ? 4_000_000 : 0;
}
