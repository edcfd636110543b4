import { pause } from "../../support/pause.ts";
import { signalGroup } from "../../support/process-group.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { RunnerProcess } from "./spawn-runner.ts";

// Milliseconds until the next attempt. Granary's own code was running: very soon, then with growing pauses.
const whilePending = [1, 1, 2, 5, 10, 20, 50, 100];
// Delivered: only to see whether the exception has got lost (see `_lost` in interrupt.py).
const whileDelivered = [50, 100, 250];
// No answer: C code runs, which will see the signal when it returns; or the cell handles SIGINT itself.
const whileSilent = [100, 500, 1000];

// Raised where Python ignores exceptions (`__del__`): each attempt is a new chance.
const whileIgnored = [1];

const paces = { pending: whilePending, ignored: whileIgnored, delivered: whileDelivered, silent: whileSilent };
const forever = 2 ** 31 - 1;

type Answer = "pending" | "ignored" | "delivered" | "silent" | "theirs";

/** Sends interrupts to one runner and understands its answers: "Interrupts" in protocol/README.md. */
export class Interrupter {
  readonly #runner: RunnerProcess;
  readonly #askOwner: (cell: number) => void;
  readonly #report: string[] = [];
  #cell = 0;
  #answer: Answer = "silent";
  #answered = new AbortController();

  /** `askOwner` asks, on *control*, whether the cell handles SIGINT itself. */
  constructor(runner: RunnerProcess, askOwner: (cell: number) => void) {
    this.#runner = runner;
    this.#askOwner = askOwner;
    const lines = new LineSplitter((line) => this.#take(line));
    runner.interrupts.on("data", (chunk: Buffer) => lines.push(chunk));
  }

  /** What `faulthandler` wrote while Python crashed. */
  get crashReport(): string {
    return this.#report.join("\n");
  }

  /** Raises `KeyboardInterrupt` in the cell, once; settles when `ended` is aborted, that is when the cell has ended. */
  async interrupt(cell: number, ended: AbortSignal): Promise<void> {
    const alreadyUnderWay = this.#cell === cell;
    if (alreadyUnderWay) return pause(forever, ended);
    this.#cell = cell;
    this.#answer = "silent";
    this.#send(cell, true);
    const attempts = { pending: 0, ignored: 0, delivered: 0, silent: 0 };
    while (!ended.aborted) {
      const answer = this.#answer as Answer;
      if (answer === "theirs") return pause(forever, ended);
      const milliseconds = paces[answer][Math.min(attempts[answer]++, paces[answer].length - 1)] as number;
      this.#answered = new AbortController();
      // An answer changes the pace, except where it only says "still pending".
      const news = answer === "delivered" || answer === "silent" ? [ended, this.#answered.signal] : [ended];
      await pause(milliseconds, AbortSignal.any(news));
      if (ended.aborted || this.#answer !== answer) continue;
      if (answer === "silent" && attempts.silent === 1) this.#askOwner(cell);
      else this.#send(cell, false);
    }
  }

  #send(cell: number, toGroup: boolean): void {
    this.#runner.interrupts.write(`${cell}\n`);
    if (toGroup) signalGroup(this.#runner.pid, "SIGINT");
    else {
      try {
        process.kill(this.#runner.pid, "SIGINT");
      } catch {
        // It has ended; its exit is on the way.
      }
    }
  }

  #take(line: string): void {
    const answer = /^([dpexru]) (\d+)$/.exec(line);
    if (!answer) {
      this.#report.push(line);
      return;
    }
    if (Number(answer[2]) !== this.#cell) return;
    this.#answer = meaning[answer[1] as keyof typeof meaning];
    this.#answered.abort("answered");
  }
}

const meaning = {
  d: "delivered",
  p: "pending",
  e: "delivered",
  x: "delivered",
  r: "ignored",
  u: "theirs",
} as const;
