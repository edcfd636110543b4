import type { CommandContext } from "./command-context.ts";

export type StopReason = "SIGINT" | "SIGTERM" | "SIGHUP" | "reader-gone" | "cannot-write";

/** 128 + the number of the signal; a reader that closes its end of the pipe stands for SIGPIPE. */
const exitCodes: Record<StopReason, number> = {
  "cannot-write": 3,
  SIGHUP: 129,
  SIGINT: 130,
  "reader-gone": 141,
  SIGTERM: 143,
};

/** A request from outside to end the run: the first ends it cleanly, the second at once. */
export class StopRequest implements Disposable {
  readonly #controller = new AbortController();
  readonly #context: CommandContext;
  readonly #detach: (() => void)[];
  /** Why the output cannot be written: the end of the command says it. */
  lostOutput: NodeJS.ErrnoException | null = null;

  /** @param output when to begin watching the output: later for a caller that has something urgent to do, and calls `watchOutput` */
  constructor(context: CommandContext, output: "now" | "later" = "now") {
    this.#context = context;
    this.#detach = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) =>
      context.onSignal(name, () => this.request(name)),
    );
    if (output === "now") this.watchOutput();
  }

  /** To be called before the first write. */
  watchOutput(): void {
    this.#context.stdout.on("error", (error: NodeJS.ErrnoException) => this.#outputLost(error));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): StopReason | null {
    return this.signal.aborted ? (this.signal.reason as StopReason) : null;
  }

  get exitCode(): number | null {
    return this.reason === null ? null : exitCodes[this.reason];
  }

  request(reason: StopReason): void {
    const isSecond = this.signal.aborted && reason.startsWith("SIG");
    // Python ends with us: it notices that its host is gone, also in the middle of a cell.
    if (isSecond) this.#context.exit(exitCodes[reason]);
    else this.#controller.abort(reason);
  }

  /** True when the output has no reader left. */
  get nobodyReads(): boolean {
    return this.reason === "reader-gone" || this.reason === "cannot-write";
  }

  #outputLost(error: NodeJS.ErrnoException): void {
    if (this.nobodyReads) return;
    this.lostOutput = error;
    this.request(error.code === "EPIPE" ? "reader-gone" : "cannot-write");
  }

  [Symbol.dispose](): void {
    for (const detach of this.#detach) detach();
  }
}
