import type { Execution } from "../../../session/execution/execution.ts";
import { firstLineOf } from "../../../session/recent-cells.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { sayTimeLimit } from "../../../support/say-count.ts";
import { sayAge } from "../../../support/say-time.ts";
import { shellWord } from "../../../support/shell-word.ts";

const momentMs = 1000;

/**
 * Says after a moment what a run waits for: the cell of another client, or a place for its kernel. Dispose of it when the run's
 * first cell begins.
 */
export function sayBusy(session: SharedSession, say: (sentence: string) => void): Disposable {
  const first = session.busyWith;
  const timer = setTimeout(() => {
    const now = session.busyWith ?? first;
    const sentence = first === null ? whyNoKernel(session.id, now) : now && busySentence(session.id, now);
    if (sentence !== null) say(sentence);
  }, momentMs);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Null where nothing is in the way, and the kernel only takes its time. */
function whyNoKernel(name: string, own: Execution | null): string | null {
  const events = own?.poll(0).map(({ event }) => event) ?? [];
  const last = events.findLast(({ type }) => type === "waiting");
  return last?.type === "waiting" ? `${name} waits: ${last.reason}` : null;
}

function busySentence(name: string, running: Execution): string {
  return (
    `${name} is busy: ${sayRunning(running)}; waiting. Ctrl-C leaves it alone. ` +
    `Run beside it with another --session, or interrupt it: granary sessions interrupt ${shellWord(name)}`
  );
}

function sayRunning({ id, cell, startedAt }: Execution): string {
  const since = startedAt === null ? "is starting" : `has been running for ${sayAge(Date.now() - startedAt)}`;
  return `${id} ${since} (${firstLineOf(cell.code)})`;
}

/** Why `--reset` is refused, and the commands that help. */
export function sayNoReset({ id, busyWith }: SharedSession, others: readonly string[]): string {
  const name = shellWord(id);
  if (busyWith === null) {
    return (
      `${id} is also used by ${others.join(", ")}, whose variables a reset would delete. ` +
      `Use another --session, or end this one for all of them: granary sessions stop ${name}`
    );
  }
  return (
    `A cell is running in ${id}, and a reset would end it: ${sayRunning(busyWith)}. ` +
    `Wait for it: granary wait ${busyWith.id}. Interrupt it: granary sessions interrupt ${name}. ` +
    `End it and the session: granary sessions stop ${name} --force`
  );
}

/** The wait of a run for the cell of another client, which may take no longer than a cell of its own. */
export class BusyWait implements Disposable {
  readonly #late = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  /** Why the run has not begun in time; null as long as it may begin. */
  whyLate: string | null = null;

  constructor(session: SharedSession, timeoutMs: number) {
    if (session.busyWith === null || timeoutMs > longestTimerMs) return;
    this.#timer = setTimeout(() => {
      const running = session.busyWith;
      if (running === null) return;
      const remedy = `Wait for it: granary wait ${running.id}. Interrupt it: granary sessions interrupt ${shellWord(session.id)}`;
      this.whyLate = `${session.id} is still busy after ${sayTimeLimit(timeoutMs)}: ${sayRunning(running)}. Nothing was run. ${remedy}`;
      this.#late.abort();
    }, timeoutMs);
  }

  /** Aborts when the wait is over without a result. */
  get signal(): AbortSignal {
    return this.#late.signal;
  }

  /** The run has begun. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

/** Node cannot count further. */
const longestTimerMs = 2 ** 31 - 1;
