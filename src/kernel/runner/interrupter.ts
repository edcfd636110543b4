import { type Deferred, deferred } from "../../support/deferred.ts";
import { signalGroup } from "../../support/process/process-group.ts";
import type { RunnerProcess } from "./spawn-runner.ts";
import { LineSplitter } from "./wire/line-splitter.ts";
import type { DeliveredInterrupt } from "./wire/open-streams.ts";

// Milliseconds until the signal is sent again, by the runner's answer. The last pause repeats.
const paces = {
  // Granary's own code was running: very soon, then with growing pauses.
  pending: [1, 1, 2, 5, 10, 20, 50, 100],
  // Raised where Python ignores exceptions (`__del__`): each signal is a new chance.
  ignored: [1],
  // Only to see whether the exception was lost (see `_lost` in interrupt.py).
  delivered: [50, 100, 250],
  // No answer: C code runs, which will see the signal when it returns; or a handler of the cell's has got past ours.
  silent: [100, 500, 1000],
  // The cell handles SIGINT itself, and its handler has been called.
  theirs: [],
} as const;

type Answer = keyof typeof paces;

const longestLine = 64 * 1024;
/** `faulthandler` writes at most 100 lines for each of at most 100 threads. */
const longestReport = 1024 * 1024;

interface OtherWires {
  /** Asks, on *control*, whether the cell handles SIGINT itself. */
  askOwner(cell: number): void;
  /** The newest interrupt that was delivered, as the journal has it. */
  delivered(): DeliveredInterrupt | null;
  /** Something came that cannot be from the runner. */
  onNonsense(): void;
}

/**
 * Sends interrupts to one runner and understands its answers: "Interrupts" in protocol/README.md.
 * Callbacks and one timer instead of signals and promises: between an interrupt and its effect, those took most of the time.
 */
export class Interrupter {
  readonly #runner: RunnerProcess;
  readonly #wires: OtherWires;
  #report = "";
  #cell = 0;
  #attempt = 0;
  #reaction: Deferred<void> = deferred();
  #answer: Answer = "silent";
  #sent: Record<Answer, number> = noneSent();
  #next: NodeJS.Timeout | undefined;

  constructor(runner: RunnerProcess, wires: OtherWires) {
    this.#runner = runner;
    this.#wires = wires;
    const lines = new LineSplitter((line) => this.#take(line), longestLine);
    runner.interrupts.on("data", (chunk: Buffer) => {
      try {
        lines.push(chunk);
      } catch {
        wires.onNonsense();
      }
    });
  }

  /** The report that `faulthandler` wrote in a crash. */
  get crashReport(): string {
    return this.#report;
  }

  /**
   * Raises `KeyboardInterrupt` in the cell, once per attempt, however often it is called; repeats until `stop`. Settles when
   * Python has reacted to the attempt.
   */
  interrupt(cell: number, attempt = 1): Promise<void> {
    if (this.#cell === cell && attempt <= this.#attempt) return this.#reaction.promise;
    this.#send(cell, attempt, true);
    this.#cell = cell;
    this.#attempt = attempt;
    this.#reaction = deferred();
    this.#answer = "silent";
    this.#sent = noneSent();
    this.#schedule();
    return this.#reaction.promise;
  }

  /** The cell has ended, or the runner has. */
  stop(): void {
    clearTimeout(this.#next);
    this.#cell = 0;
  }

  /** Called now and then while the cell runs: Python may have noted its reaction in the journal, which does not wake the host. */
  look(): void {
    if (this.#cell === 0 || this.#answer !== "silent") return;
    const noted = this.#wires.delivered();
    if (noted?.cell === this.#cell && noted.attempt === this.#attempt) this.#hear("d");
  }

  #schedule(): void {
    clearTimeout(this.#next);
    const pauses = paces[this.#answer];
    const sent = this.#sent[this.#answer]++;
    const milliseconds = pauses[Math.min(sent, pauses.length - 1)];
    if (milliseconds !== undefined) this.#next = setTimeout(() => this.#again(), milliseconds);
  }

  #again(): void {
    if (this.#answer === "silent" && this.#sent.silent === 1) this.#wires.askOwner(this.#cell);
    else this.#send(this.#cell, this.#attempt, false);
    this.#schedule();
  }

  #send(cell: number, attempt: number, toGroup: boolean): void {
    this.#runner.interrupts.write(`${cell} ${attempt}\n`);
    if (toGroup) signalGroup(this.#runner.pythonPid, "SIGINT");
    else {
      try {
        process.kill(this.#runner.pythonPid, "SIGINT");
      } catch {
        // It has ended; its exit is on the way.
      }
    }
  }

  #take(line: string): void {
    const answer = /^([dpexru]) (\d+) (\d+)$/.exec(line);
    if (!answer) {
      if (this.#report.length < longestReport) this.#report += this.#report === "" ? line : `\n${line}`;
      return;
    }
    const [, letter, cell, attempt] = answer;
    if (Number(cell) !== this.#cell || Number(attempt) !== this.#attempt) return;
    this.#hear(letter as Letter);
  }

  #hear(letter: Letter): void {
    if (letter === "d" || letter === "u") this.#reaction.resolve();
    const before = this.#answer;
    this.#answer = meaning[letter];
    // Another answer, another pace; "still pending" is no news.
    if (this.#answer !== before) this.#schedule();
  }
}

const noneSent = (): Record<Answer, number> => ({ pending: 0, ignored: 0, delivered: 0, silent: 0, theirs: 0 });

const meaning = {
  d: "delivered",
  p: "pending",
  e: "delivered",
  x: "delivered",
  r: "ignored",
  u: "theirs",
} as const;

type Letter = keyof typeof meaning;
