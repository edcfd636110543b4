import { type Deferred, deferred } from "../../support/deferred.ts";
import type { JsonObject } from "../../support/json/value.ts";
import { CellEvents, dropEvent } from "../cell-events.ts";
import { KernelError } from "../errors.ts";
import type { KernelEvent, MimeBundle, StreamName } from "../events.ts";
import { type ExecuteOptions, type ExitReport, mostUnanswered, unansweredNotice } from "../kernel.ts";
import { withoutDeepMembers, withoutDeepValues } from "../large-content.ts";
import { commOf } from "./runner-comms.ts";
import type { CellFrame, Frame } from "./wire/frames.ts";

const queueBytes = 1024 * 1024;
/** A program says at its end why it fails. */
const commandCharacters = 16 * 1024;
const lastQueueBytes = 64 * 1024 * 1024;

// Without a reason of its own, `abort` makes an exception with a stack trace.
const cellHasEnded = "The cell has ended.";

interface Host {
  /** Sends the answer to question `ask`; null interrupts the asking code. */
  answer(ask: number, text: string | null): void;
  /** Takes output that turned out to belong to no cell. */
  onBackground(name: StreamName, text: string): void;
  /** The consumer is behind (true), or has caught up (false). */
  onPressure(full: boolean): void;
}

/** One cell on a runner: frames and bytes in, events out. */
export class RunnerCell {
  readonly id: number;
  readonly events: CellEvents;
  readonly #host: Host;
  readonly #options: ExecuteOptions;
  /** An idle runner begins at once; that it has begun may be noticed only later. */
  readonly #sentAt = Date.now();
  #early: Extract<KernelEvent, { type: "stream" }>[] = [];
  #started = false;
  #hasEnded = false;
  #over: Deferred<void> | undefined;
  #ended: AbortController | undefined;
  #asks = 0;
  #expressions: JsonObject | undefined;
  /** The last output of the command that runs now. */
  #commandOutput: string | null = null;

  constructor(id: number, options: ExecuteOptions, host: Host) {
    this.id = id;
    this.#options = options;
    this.#host = host;
    this.events = new CellEvents({
      limit: queueBytes,
      lastLimit: lastQueueBytes,
      weighFile,
      onPressure: host.onPressure,
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Settles when the cell has ended. */
  get over(): Promise<void> {
    this.#over ??= deferred();
    if (this.#hasEnded) this.#over.resolve();
    return this.#over.promise;
  }

  /** Aborted when the cell has ended. Made on demand: it costs more than a round trip to Python, and most cells need none. */
  get ended(): AbortSignal {
    this.#ended ??= new AbortController();
    if (this.#hasEnded) this.#ended.abort(cellHasEnded);
    return this.#ended.signal;
  }

  get started(): boolean {
    return this.#started;
  }

  text(name: StreamName, text: string): void {
    if (this.#commandOutput !== null) this.#commandOutput = (this.#commandOutput + text).slice(-commandCharacters);
    if (this.#started) this.#tell({ type: "stream", name, text });
    else this.#early.push({ type: "stream", name, text });
  }

  /**
   * The cell runs: a frame or the journal says so. Bytes that came since the request are its own, which may overtake the
   * frame, unless `started` stands after a mark: then they were there before it.
   */
  begin(afterMark: boolean): void {
    if (this.#started) return;
    this.#started = true;
    const early = this.#early.splice(0);
    if (afterMark) for (const { name, text } of early) this.#host.onBackground(name, text);
    this.#tell({ type: "started", at: afterMark ? Date.now() : this.#sentAt });
    if (!afterMark) for (const event of early) this.#tell(event);
  }

  frame(frame: CellFrame): void {
    if (!this.#started && frame.t !== "started") this.begin(false);
    switch (frame.t) {
      case "started":
        return this.begin(frame.after !== undefined);
      case "display":
        return this.#tell(displayOf(frame));
      case "result":
        return this.#tell({ type: "result", ...bundleOf(frame), executionCount: frame.count });
      case "comm":
        return this.#tell(commOf(frame));
      case "clear":
        return this.#tell({ type: "clear", wait: frame.wait });
      case "clock":
        return this.#tell({ type: "clock", running: frame.running });
      case "command":
        return this.#command(frame.exit);
      case "ask":
        return this.#ask(frame);
      case "error": {
        const { name, message, traceback, large } = frame;
        return this.events.push({ type: "error", name, message, traceback, ...(large && { large }) });
      }
      case "expressions":
        this.#expressions = frame.values;
        return;
      case "done":
        this.events.push({
          type: "done",
          outcome: frame.outcome,
          executionCount: frame.count,
          ...(this.#expressions && { expressions: this.#expressions }),
          ...(frame.exits && { exits: true }),
        });
        return this.#end();
      default:
        return frame satisfies never;
    }
  }

  /** The kernel ended before the cell did. */
  died(exit: ExitReport): void {
    for (const { name, text } of this.#early) this.#host.onBackground(name, text);
    const begun = this.#started ? "" : " The cell had not begun.";
    const details = { exit, started: this.#started };
    this.#end(new KernelError("kernel-died", `${exit.summary}${begun} Its variables are gone.`, { details }));
  }

  #end(error?: KernelError): void {
    this.events.end(error);
    this.#hasEnded = true;
    this.#over?.resolve();
    this.#ended?.abort(cellHasEnded);
  }

  #tell(event: KernelEvent): void {
    if (this.#options.internal) dropEvent(event);
    else this.events.push(event);
  }

  /** @param exit null at its begin */
  #command(exit: number | null): void {
    const output = this.#commandOutput;
    this.#commandOutput = exit === null ? "" : null;
    if (exit !== null && exit !== 0 && output !== null) this.#options.onFailedCommand?.(output);
  }

  #ask({ ask, prompt, password }: Extract<Frame, { t: "ask" }>): void {
    this.#tell({ type: "stdin", prompt, password });
    if (this.#options.answer) {
      const answered = this.#options.answer(prompt, password, this.ended);
      answered.then(
        (text) => this.#host.answer(ask, text),
        () => this.#host.answer(ask, null),
      );
      return;
    }
    if (++this.#asks > mostUnanswered) return this.#host.answer(ask, null);
    if (this.#asks === 1) this.text("stderr", unansweredNotice);
    this.#host.answer(ask, "");
  }
}

type ShowFrame = Extract<Frame, { t: "display" | "result" }>;

export function displayOf(frame: Extract<Frame, { t: "display" }>): Extract<KernelEvent, { type: "display" }> {
  const { displayId, update = false, page } = frame;
  return {
    type: "display",
    ...bundleOf(frame),
    ...(displayId === undefined ? {} : { displayId }),
    update,
    ...(page === undefined ? {} : { page }),
  };
}

/** Emits the event of a frame. The frame is from our runner, but its bundle is from the user's code. */
function bundleOf(
  frame: ShowFrame,
): Pick<Extract<KernelEvent, { type: "result" }>, "data" | "metadata" | "line" | "large"> {
  const line = frame.line === undefined ? undefined : { line: frame.line };
  if (isFlat(frame.data) && isFlat(frame.metadata)) {
    return { data: frame.data, metadata: frame.metadata, ...line, ...(frame.large && { large: frame.large }) };
  }
  const { data, large } = withoutDeepValues(frame.data);
  const all = frame.large || large ? { large: { ...frame.large, ...large } } : undefined;
  return { data, metadata: withoutDeepMembers(frame.metadata), ...line, ...all };
}

/** Most bundles have texts only. */
function isFlat(bundle: MimeBundle): boolean {
  return Object.values(bundle).every((value) => typeof value !== "object");
}

/** A file takes no memory, but Python has to wait for its reader, or it could fill the disk. */
function weighFile(bytes: number): number {
  return Math.min(bytes, 2 * queueBytes);
}
