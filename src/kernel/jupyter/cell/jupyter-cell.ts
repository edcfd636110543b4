import { deferred } from "../../../support/deferred.ts";
import type { JsonObject } from "../../../support/json/value.ts";
import { CellEvents, dropEvent } from "../../cell-events.ts";
import { KernelError } from "../../errors.ts";
import type { KernelEvent, Outcome } from "../../events.ts";
import type { ExecuteOptions, ExitReport } from "../../kernel.ts";
import { hasFailedDisplay } from "../house-rules.ts";
import type { JupyterMessage } from "../messages/message.ts";
import { countOf, type ErrorEvent, objectOf, pagesOf, stringOf, toError, toEvent } from "../messages/to-event.ts";
import { CellQuestions } from "./questions.ts";

// A kernel drops output for a reader that waits, so waiting is the very last resort.
const queueBytes = 64 * 1024 * 1024;
const lastQueueBytes = 1024 * 1024 * 1024;
// Reply and idle come on different sockets. Do not wait for ever for a kernel that sends only one of them.
const secondOfTwoMs = 4000;
// An interrupt that hits IPython itself, outside of the cell's code, prevents the reply.
const replyAfterInterruptMs = 500;
// A server that ends or restarts a kernel interrupts its cell first, and the kernel reports its end just after.
const endAfterInterruptMs = 500;
// Some kernels do not send `execute_input`, and none does for an internal cell.
const soonAfterBusyMs = 100;

interface Host {
  /** Whether another client may interrupt the cell without a report. */
  readonly isOnServer: boolean;
  answer(question: JupyterMessage, text: string): void;
  /** Interrupts the cell, because its question cannot be answered. */
  interrupt(): void;
  onPressure(full: boolean): void;
  /** Bytes received so far. */
  bytesRead(): number;
  onEnd(): void;
}

/** One cell on a Jupyter kernel: messages in, events out. */
export class JupyterCell {
  readonly events: CellEvents;
  readonly #options: ExecuteOptions;
  readonly #host: Host;
  readonly #questions: CellQuestions;
  readonly #over = deferred<void>();
  readonly #listens = deferred<void>();
  readonly #ended = new AbortController();
  #isSent = false;
  #started = false;
  #wasInterrupted = false;
  #hasEnded = false;
  #isIdle = false;
  #reply: JsonObject | undefined;
  /** The last exception that was shown. */
  #shown: ErrorEvent | undefined;
  /** An interrupt that is not ours, until it is known whether the kernel ends with it. */
  #heldBack: ErrorEvent | undefined;
  /** The exception that the cell failed with. */
  #error: ErrorEvent | undefined;
  #executionCount: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ExecuteOptions, host: Host) {
    this.#options = options;
    this.#host = host;
    this.events = new CellEvents({
      limit: queueBytes,
      lastLimit: lastQueueBytes,
      weighFile: () => 0,
      onPressure: host.onPressure,
    });
    this.#questions = new CellQuestions(options.answer, {
      ended: this.#ended.signal,
      explain: (text) => this.tell({ type: "stream", name: "stderr", text }),
      interrupt: () => host.interrupt(),
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Settles when the cell has ended. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** Whether the kernel has sent anything about it. */
  get hasBegun(): boolean {
    return this.#started;
  }

  /** Settles when the cell's own code is about to run: before, a kernel ignores interrupts. */
  get listens(): Promise<void> {
    return this.#listens.promise;
  }

  /** Aborted when the cell has ended. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The failure, if any. */
  get error(): ErrorEvent | undefined {
    return this.#error;
  }

  /** Takes a message that the kernel published about this cell. */
  published(message: JupyterMessage): void {
    const { header, content } = message;
    if (header.msg_type === "status") return this.#status(stringOf(content.execution_state));
    this.#begin();
    if (header.msg_type === "execute_input") {
      this.#executionCount = countOf(content.execution_count);
      return this.#listens.resolve();
    }
    const event = toEvent(message);
    if (event?.type === "error") this.#take(event);
    else if (event) this.tell(event);
  }

  replied(content: JsonObject): void {
    this.#reply = content;
    this.#endWhenComplete();
  }

  asked(question: JupyterMessage): void {
    this.#begin();
    const prompt = stringOf(question.content.prompt);
    const password = question.content.password === true;
    this.tell({ type: "stdin", prompt, password });
    this.#questions.put(prompt, password, (text) => this.#host.answer(question, text));
  }

  /** An interrupt is about to be sent: the cell must get to its end, even if its consumer is behind. */
  interrupted(): void {
    this.#wasInterrupted = true;
    this.events.hurry();
    this.#questions.interrupted();
  }

  /** Shown, unless the cell is internal. */
  tell(event: KernelEvent): void {
    if (this.#options.internal) dropEvent(event);
    else this.events.push(event);
  }

  /** It is on its way to the kernel. */
  sent(): void {
    this.#isSent = true;
  }

  /** The kernel runs a cell of another client first (false), or that one has ended (true). */
  turn(isOurs: boolean): void {
    if (!this.#started) this.#options.onTurn?.(isOurs);
  }

  /** Interrupted before its turn came. */
  withdrawn(): void {
    // A sent request will begin, even if it is then interrupted at once.
    if (this.#isSent) this.#begin();
    this.#end("interrupted");
  }

  /** Could not be sent: a step before it has failed. */
  failed(error: ErrorEvent): void {
    this.#begin();
    this.#fail(error);
    this.#end("error");
  }

  /** The kernel ended before the cell did. */
  died(exit: ExitReport, whatIsLost: string): void {
    if (this.#hasEnded) return;
    const begun = this.#started ? "" : ` The cell ${this.#isSent ? "may have" : "had not"} begun.`;
    // The last messages of a kernel die with it, so a sent cell may have run; claiming otherwise would run it twice.
    if (this.#isSent) this.#begin();
    const details = { exit, started: this.#started };
    this.#close(new KernelError("kernel-died", `${exit.summary}${begun}${whatIsLost}`, { details }));
  }

  #begin(): void {
    if (this.#started) return;
    this.#started = true;
    this.tell({ type: "started", at: Date.now() });
  }

  #status(state: string): void {
    this.#begin();
    if (state === "busy") setTimeout(() => this.#listens.resolve(), soonAfterBusyMs).unref();
    if (state !== "idle") return;
    this.#isIdle = true;
    this.#endWhenComplete();
  }

  #endWhenComplete(): void {
    if (this.#reply && this.#isIdle) return this.#complete();
    const isCutShort = this.#isIdle && this.#wasInterrupted;
    this.#timer ??= this.#completeAfter(isCutShort ? replyAfterInterruptMs : secondOfTwoMs);
  }

  /** Unless data is still coming: before the end of a cell there may be a message of hundreds of megabytes. */
  #completeAfter(timeoutMs: number): NodeJS.Timeout {
    const before = this.#host.bytesRead();
    return setTimeout(() => {
      if (this.#host.bytesRead() === before) this.#complete();
      else if (!this.#hasEnded) this.#timer = this.#completeAfter(timeoutMs);
    }, timeoutMs);
  }

  #complete(): void {
    if (this.#hasEnded) return;
    if (this.#heldBack) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#showHeldBack();
        this.#complete();
      }, endAfterInterruptMs);
      return;
    }
    const reply = this.#reply ?? {};
    this.#begin();
    this.#executionCount = countOf(reply.execution_count) ?? this.#executionCount;
    if (reply.status === "error" || (this.#shown && this.#isVerdict(this.#shown))) {
      this.#fail(this.#shown ?? toError(reply));
    }
    if (reply.status === "aborted") this.#fail(this.#wasInterrupted ? keyboardInterrupt : notRun);
    if (!this.#reply && this.#wasInterrupted) this.#fail(keyboardInterrupt);
    for (const page of pagesOf(reply)) this.tell(page);
    this.#end(this.#outcome());
  }

  #take(error: ErrorEvent): void {
    this.#showHeldBack();
    const isOfOthers = this.#host.isOnServer && !this.#wasInterrupted && error.name === "KeyboardInterrupt";
    if (isOfOthers) this.#heldBack = error;
    else this.#show(error);
  }

  #showHeldBack(): void {
    if (this.#heldBack) this.#show(this.#heldBack);
    this.#heldBack = undefined;
  }

  /** Sent also for an internal cell. Code may show an exception and continue, as `with Output():` of ipywidgets does. */
  #show(error: ErrorEvent): void {
    const isInterrupt = this.#wasInterrupted && endingsOfInterrupts.includes(error.name);
    this.#shown = isInterrupt ? { ...keyboardInterrupt, traceback: error.traceback } : error;
    if (!isPeacefulExit(this.#shown)) this.events.push(this.#shown);
  }

  /** Whether an exception that was shown fails the cell, although no reply says so. */
  #isVerdict({ name }: ErrorEvent): boolean {
    if (!this.#reply || hasFailedDisplay(this.#reply)) return true;
    return this.#wasInterrupted && name === "KeyboardInterrupt";
  }

  #fail(error: ErrorEvent): void {
    if (this.#error) return dropEvent(error);
    if (error !== this.#shown) this.#show(error);
    this.#error = this.#shown;
  }

  #outcome(): Outcome {
    if (!this.#error || isPeacefulExit(this.#error)) return "ok";
    return this.#error.name === "KeyboardInterrupt" ? "interrupted" : "error";
  }

  #end(outcome: Outcome): void {
    const executionCount = this.#options.internal ? null : this.#executionCount;
    const exits = this.#error !== undefined && isPeacefulExit(this.#error);
    const asked = this.#options.terms?.expressions !== undefined && this.#reply !== undefined;
    const expressions = asked ? { expressions: objectOf(this.#reply?.user_expressions) } : undefined;
    this.events.push({ type: "done", outcome, executionCount, ...expressions, ...(exits && { exits }) });
    this.#close();
  }

  #close(error?: KernelError): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.events.end(error);
    this.#ended.abort("The cell has ended.");
    this.#host.onEnd();
    this.#over.resolve();
  }
}

/** `sys.exit()` in a cell is a way to leave it. */
function isPeacefulExit({ name, message }: ErrorEvent): boolean {
  return name === "SystemExit" && ["", "0", "None", "False"].includes(message);
}

/** How an interrupt reaches code that awaits, code that is being debugged, and the caller of trio. */
const endingsOfInterrupts: readonly string[] = ["CancelledError", "BdbQuit", "bdb.BdbQuit", "BaseExceptionGroup"];

const keyboardInterrupt: ErrorEvent = {
  type: "error",
  name: "KeyboardInterrupt",
  message: "",
  traceback: ["KeyboardInterrupt"],
};

const notRun: ErrorEvent = {
  type: "error",
  name: "Aborted",
  message: "The kernel did not run this cell, because one before it had failed. Run it again.",
  traceback: [],
};
