import { systemReason } from "../../../support/files/system-reason.ts";
import type { CommandContext } from "./command-context.ts";
import { say } from "./write.ts";

export type StopReason = "SIGINT" | "SIGTERM" | "SIGHUP" | "reader-gone" | "cannot-write";

/** 128 + the number of the signal; a reader that closes its end of the pipe stands for SIGPIPE. */
const exitCodes: Record<StopReason, number> = {
  "cannot-write": 3,
  SIGHUP: 129,
  SIGINT: 130,
  "reader-gone": 141,
  SIGTERM: 143,
};

/** Somebody outside wants the run to end: once means cleanly, twice means now. */
export class StopRequest implements Disposable {
  readonly #controller = new AbortController();
  readonly #context: CommandContext;
  readonly #detach: (() => void)[];

  constructor(context: CommandContext) {
    this.#context = context;
    this.#detach = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) =>
      context.onSignal(name, () => this.request(name)),
    );
    context.stdout.on("error", (error: NodeJS.ErrnoException) => this.#outputLost(error));
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
    // Python ends with us: it notices that its host is gone, in the middle of a cell too.
    if (isSecond) this.#context.exit(exitCodes[reason]);
    else this.#controller.abort(reason);
  }

  /** True when what Python still says would reach nobody. */
  get nobodyReads(): boolean {
    return this.reason === "reader-gone" || this.reason === "cannot-write";
  }

  #outputLost(error: NodeJS.ErrnoException): void {
    if (this.nobodyReads) return;
    const readerIsGone = error.code === "EPIPE";
    if (!readerIsGone)
      void say(this.#context.stderr, `granary: The output cannot be written: ${systemReason(error)}.\n`);
    this.request(readerIsGone ? "reader-gone" : "cannot-write");
  }

  [Symbol.dispose](): void {
    for (const detach of this.#detach) detach();
  }
}
