import { setImmediate } from "node:timers/promises";
import type { CallDispatcher, CellCalls } from "../../bridge/call-dispatcher.ts";
import { KernelError } from "../../kernel/errors.ts";
import type { KernelEvent } from "../../kernel/events.ts";
import type { ExecuteOptions, Kernel } from "../../kernel/kernel.ts";
import { type Deferred, deferred } from "../../support/deferred.ts";
import { CellClock } from "./cell-clock.ts";
import { CellVerdict, type Verdict } from "./cell-verdict.ts";

export interface RunCellOptions {
  /** Aborting interrupts the cell and makes its verdict `cancelled`. */
  readonly signal: AbortSignal;
  /** Counted from the cell's turn, also before the kernel begins it; Infinity for none. The rest is for the next cell. */
  readonly time: TimeBudget;
  readonly answer?: ExecuteOptions["answer"];
  readonly cwd?: ExecuteOptions["cwd"];
  /** The cell's clock pauses while a tool of the host runs for the cell. */
  readonly calls?: CallDispatcher | undefined;
  readonly env?: ExecuteOptions["env"];
  readonly terminal?: ExecuteOptions["terminal"];
  readonly forms?: ExecuteOptions["forms"];
  readonly onCheckpoint?: ExecuteOptions["onCheckpoint"];
  readonly onFailedCommand?: ExecuteOptions["onFailedCommand"];
  readonly terms?: ExecuteOptions["terms"];
  /** Called when the cell is interrupted, for any reason. */
  readonly onInterrupt?: (() => void) | undefined;
  /** Called with false when the kernel runs a cell of another client first, and with true when the cell's turn has come. */
  readonly onTurn?: ((isOurs: boolean) => void) | undefined;
  /** Awaited before the next event: a slow reader slows the cell down. */
  readonly onEvent: (event: KernelEvent) => void | Promise<void>;
}

export interface TimeBudget {
  leftMs: number;
}

type Answer = NonNullable<ExecuteOptions["answer"]>;

/** Runs one cell to its end. Throws only what `onEvent` throws. */
export async function runCell(kernel: Kernel, code: string, options: RunCellOptions): Promise<Verdict> {
  const clock = new CellClock(options.time.leftMs, () => kernel.state === "idle");
  const verdict = new CellVerdict({ someoneAnswers: options.answer !== undefined });
  if (options.signal.aborted) return verdict.stopped("cancelled");
  const mayTimeOut = options.time.leftMs !== Number.POSITIVE_INFINITY;
  const signal = mayTimeOut ? AbortSignal.any([options.signal, clock.signal]) : options.signal;
  const onAbort = (): void => options.onInterrupt?.();
  signal.addEventListener("abort", onAbort);
  const calls = options.calls?.cellBegins((running) => (running ? clock.run() : clock.pause()));
  const questions = new QuestionsInTurn();
  let isOver = false;
  let untilTurn = turnAfter;
  const goOn = (): void => {
    if (!isOver && !calls?.areUnderWay) clock.run();
  };
  const answer = options.answer && questions.hold(offTheClock(options.answer, clock, goOn));
  const onTurn = (isOurs: boolean): void => {
    if (isOurs) goOn();
    else clock.pause();
    options.onTurn?.(isOurs);
  };
  const { cwd, env, terminal, forms, terms, onCheckpoint, onFailedCommand } = options;
  try {
    // Now, and not when the kernel reports the beginning: a stopped or blocked kernel never does.
    clock.run();
    for await (const event of kernel.execute(code, {
      signal,
      answer,
      cwd,
      env,
      terminal,
      forms,
      terms,
      onTurn,
      onCheckpoint,
      onFailedCommand,
    })) {
      keepTime(clock, event, calls);
      verdict.take(event);
      for (const part of isLong(event) ? inParts(event) : [event]) {
        const taken = options.onEvent(part);
        if (taken !== undefined) await taken;
        untilTurn -= weigh(part);
        if (untilTurn > 0) continue;
        // A kernel's events may all be there already, and then nothing above has waited for anything.
        await setImmediate();
        untilTurn = turnAfter;
      }
      if (event.type === "stdin") questions.release();
    }
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    verdict.kernelFailed(error);
  } finally {
    isOver = true;
    options.calls?.cellEnds();
    clock.pause();
    // A combined signal with a listener is never collected.
    signal.removeEventListener("abort", onAbort);
    options.time.leftMs = clock.leftMs;
  }
  if (clock.hasRung) return verdict.stopped("timeout");
  if (options.signal.aborted) return verdict.stopped("cancelled");
  return verdict.reached();
}

/**
 * In characters. Processing any text of this size takes a few milliseconds; then timers, signals and sockets have
 * their turn.
 */
const turnAfter = 32 * 1024;
const eventCharacters = 256;

function weigh(event: KernelEvent): number {
  return event.type === "stream" ? eventCharacters + event.text.length : eventCharacters;
}

type StreamEvent = Extract<KernelEvent, { type: "stream" }>;

function isLong(event: KernelEvent): event is StreamEvent {
  return event.type === "stream" && event.text.length > turnAfter;
}

/** Long text in several events. */
function* inParts(event: StreamEvent): Generator<KernelEvent> {
  for (let start = 0; start < event.text.length; ) {
    const end = start + turnAfter;
    const isInsideCharacter = /[\ud800-\udbff]/.test(event.text.charAt(end - 1));
    const text = event.text.slice(start, isInsideCharacter ? end + 1 : end);
    yield { ...event, text };
    start += text.length;
  }
}

/** How long a person takes to answer is not the cell's fault. */
function offTheClock(answer: Answer, clock: CellClock, goOn: () => void): Answer {
  return async (...question) => {
    clock.pause();
    try {
      return await answer(...question);
    } finally {
      goOn();
    }
  };
}

function keepTime(clock: CellClock, event: KernelEvent, calls: CellCalls | undefined): void {
  if (event.type === "started") {
    // A call may be under way before the event of the cell's beginning arrives.
    if (!calls?.areUnderWay) clock.run();
  } else if (event.type === "clock") event.running ? clock.run() : clock.pause();
  else if (event.type === "done") clock.pause();
}

/** Holds each question back until all earlier output of the cell has been shown. */
class QuestionsInTurn {
  readonly #turns: Deferred<void>[] = [];
  #asked = 0;
  #released = 0;

  /** The kernel's call may overtake its own events, which wait for a slow reader. */
  hold(answer: Answer): Answer {
    return async (...question) => {
      await this.#turn(this.#asked++).promise;
      return answer(...question);
    };
  }

  /** The event of the next question has been shown. */
  release(): void {
    this.#turn(this.#released++).resolve();
  }

  #turn(index: number): Deferred<void> {
    const turn = this.#turns[index] ?? deferred<void>();
    this.#turns[index] = turn;
    return turn;
  }
}
