import { setMaxListeners } from "node:events";
import type { KernelEvent } from "../../kernel/events.ts";
import type { Capture, Captured, CapturedDisplay, ShownPart } from "../../output/capture.ts";
import type { LiveEvent } from "../../output/live-feed.ts";
import { lastParts, type OutputPart } from "../../output/output-part.ts";
import type { ProgressBar } from "../../output/progress-bar.ts";
import { openBars } from "../../output/progress-bars.ts";
import { deferred } from "../../support/deferred.ts";
import { jsonLength } from "../../support/json/deep-json.ts";
import type { CellError, CellStatus } from "../cell/cell-verdict.ts";
import type { LineMove } from "../checkpoints/cell-line.ts";
import type { Failure } from "../failure.ts";
import type { Ledger } from "../ledger.ts";
import { ExecutionLog, type Gap, type Logged } from "./execution-log.ts";
import type { ExecutionLook } from "./look-inside.ts";

export interface Cell {
  readonly code: string;
  readonly title?: string | undefined;
  /** @internal The text that Python gets, where people and histories read `code` in its place. */
  readonly sent?: string | undefined;
}

/** @internal A cell of a notebook that runs, for others who show the same notebook. */
export interface CellOfNotebook {
  /** The file that gets its outputs. */
  readonly path: string;
  /** All cells that the run is for, in order. */
  readonly cells: readonly { readonly index: number; readonly cell: { readonly id: string | null } }[];
  /** The place of this one among them, from 0. */
  readonly position: number;
  /** Settles when the run has ended; the same for all of its cells. */
  readonly runEnded: Promise<void>;
}

/** The events for a follower of an execution, in this order; then the log ends. */
export type ExecutionEvent =
  /** How many are before it in the session's queue. */
  | { readonly type: "queued"; readonly position: number }
  /** Something has to happen before the cell can run, and takes a while. After `running`: the kernel has it, and does not begin it yet. */
  | { readonly type: "waiting"; readonly reason: string }
  | { readonly type: "running"; readonly generation: number }
  | LiveEvent
  | { readonly type: "display"; readonly display: CapturedDisplay; readonly update: boolean }
  | { readonly type: "over"; readonly status: ExecutionStatus };

/** A question that has gone to the client of the cell. Observers may answer it as well: the first answer counts. */
export interface OpenQuestion {
  readonly prompt: string;
  readonly password: boolean;
  answer(text: string): void;
}

/** `skipped`: it was to run only after another, and that one did not succeed. */
export type ExecutionStatus = CellStatus | "skipped";

export interface ExecutionResult extends Captured {
  readonly status: ExecutionStatus;
  /** True when the timeout, the caller or another client stopped it. */
  readonly cancelled: boolean;
  /** The exception that Python raised. */
  readonly error: CellError | null;
  /** A failure of Granary. */
  readonly failure: Failure | null;
  readonly executionCount: number | null;
  readonly durationMs: number;
  /** True when the cell asked for input and got no answer. */
  readonly stdinRequested: boolean;
  /** How often the cell began: 2 when it took its kernel down and was tried again in a fresh one, 0 when it never ran. */
  readonly attempts: number;
  /** Output since the cell before, from threads and child processes that outlived it. */
  readonly background: string;
  readonly ledger: Ledger;
  /** Sentences for people and models, besides the output. */
  readonly notices: readonly string[];
}

interface ExecutionTies {
  readonly partOf?: Execution | undefined;
  readonly onlyAfter?: Execution | undefined;
  readonly stop?: AbortController | null | undefined;
  readonly by?: string | undefined;
  readonly notebook?: CellOfNotebook | undefined;
}

const logLimitCharacters = 256 * 1024;
/** Bars are at the end of the output. */
const barBytes = 4096;

/**
 * One cell on its way, from the queue to its result.
 *
 * @example
 * const execution = session.run("for step in range(3): print(step)");
 * for await (const event of execution) if (event.type === "text") process.stdout.write(event.text);
 * const { status } = await execution.result;
 */
export class Execution implements AsyncIterable<ExecutionEvent | Gap> {
  readonly id: string;
  readonly sessionId: string;
  readonly cell: Cell;
  /** @internal The notebook run that this cell belongs to, or null. */
  readonly partOf: Execution | null;
  /** @internal Its number among the cells of its call, from 1. */
  readonly numberInCall: number;
  /** @internal The next cell of its call, which runs only if this one succeeds. */
  next: Execution | null = null;
  /** The name of the client that runs it; null where there is only one. */
  readonly by: string | null;
  /** @internal The question of `input()` that the cell waits with; null for none. */
  question: OpenQuestion | null = null;
  /** @internal Gets every event of the kernel, for a record that outlives the execution. A promise delays the next event. */
  recorder: ((event: KernelEvent) => void | Promise<void>) | null = null;
  /** Why its effects are no longer in the variables; null while they are, and after a restart. */
  undone: LineMove | null = null;
  /** Never rejects: the result contains failures. */
  readonly result: Promise<ExecutionResult>;
  readonly #log = new ExecutionLog<ExecutionEvent>({
    limit: logLimitCharacters,
    weigh: weightOf,
    artifact: () => this.artifact,
  });
  readonly #result = deferred<ExecutionResult>();
  #stop: AbortController | null;
  /** May have listeners for longer than the cell runs. */
  #signalIsGiven = false;
  readonly #forgetCaller: () => void;
  #status: ExecutionStatus | "queued" | "running" = "queued";
  #startedAt: number | null = null;
  #capture: Capture | null = null;
  #look: ((signal?: AbortSignal) => Promise<ExecutionLook>) | null = null;
  #keptArtifact: string | null = null;
  #notebook: CellOfNotebook | null;
  #resultWeight = 0;

  /** @internal */
  constructor(
    id: string,
    sessionId: string,
    cell: Cell,
    callersSignal?: AbortSignal,
    { partOf, onlyAfter, stop, by, notebook }: ExecutionTies = {},
  ) {
    this.id = id;
    this.sessionId = sessionId;
    this.cell = cell;
    this.partOf = partOf ?? null;
    // Not the one before: the last of many cells would keep all of them in memory.
    this.numberInCall = (onlyAfter?.numberInCall ?? 0) + 1;
    if (onlyAfter !== undefined) onlyAfter.next = this;
    this.by = by ?? null;
    this.#notebook = notebook ?? null;
    this.#stop = stop ?? new AbortController();
    this.result = this.#result.promise;
    this.#forgetCaller = this.#listenTo(callersSignal);
  }

  /** Aborts when the caller, or anybody who knows this execution, wants it stopped. */
  get signal(): AbortSignal {
    this.#signalIsGiven = true;
    return this.signalWhileRunning;
  }

  /** @internal The same, for those who stop listening when the cell is over. */
  get signalWhileRunning(): AbortSignal {
    this.#stop ??= new AbortController();
    return this.#stop.signal;
  }

  /**
   * @internal For the next execution; null when it needs one of its own. In Node 20, a signal survives every collection but
   * the full ones: one for each of many small cells costs more than the rest of what a session does for them.
   */
  handOnStop(): AbortController | null {
    const stop = this.#stop;
    if (stop === null || !this.isOver || this.#signalIsGiven || stop.signal.aborted) return null;
    this.#stop = null;
    return stop;
  }

  get status(): ExecutionStatus | "queued" | "running" {
    return this.#status;
  }

  get isOver(): boolean {
    return this.#status !== "queued" && this.#status !== "running";
  }

  /** @internal Its place in a notebook that runs; null after its end, which would keep the notebook in memory. */
  get notebook(): CellOfNotebook | null {
    return this.#notebook;
  }

  /** In milliseconds of `Date.now()`; null before it runs. */
  get startedAt(): number | null {
    return this.#startedAt;
  }

  /** The place in the log of the next event; a later `events(place)` continues from there. */
  get place(): number {
    return this.#log.end;
  }

  /** About how much memory is kept of it, in characters. */
  get weight(): number {
    return this.#log.weight + this.#resultWeight;
  }

  /** All events from a place on, as they come. Any number of readers may follow, as slowly as they like. */
  events(since = 0): AsyncIterable<Logged<ExecutionEvent> | Logged<Gap>> {
    return this.#log.follow(since);
  }

  /** The events from a place on, without waiting. */
  poll(since = 0): readonly (Logged<ExecutionEvent> | Logged<Gap>)[] {
    return this.#log.read(since);
  }

  /** The last of the output so far, for a glance at work in progress. */
  tail(bytes: number): string {
    return this.#capture?.tail(bytes) ?? "";
  }

  /** Whether something was displayed that a result would still have. */
  get hasDisplays(): boolean {
    return this.#capture?.hasDisplays ?? false;
  }

  /** The last of the output so far with what was displayed, in order. */
  lastParts(bytes: number): readonly OutputPart[] {
    if (this.hasDisplays) return lastParts(this.#capture?.parts ?? [], bytes);
    const text = this.tail(bytes);
    return text === "" ? [] : [{ type: "text", text }];
  }

  /** @internal The output so far, as a result would have it; the log has all of it. */
  get output(): readonly OutputPart[] {
    this.#capture?.tellNow();
    return this.#capture?.parts ?? [];
  }

  /** The open progress bars. */
  bars(): readonly ProgressBar[] {
    return this.#capture === null ? [] : openBars(this.hasDisplays ? this.#capture.parts : [], this.tail(barBytes));
  }

  async *[Symbol.asyncIterator](): AsyncIterator<ExecutionEvent | Gap> {
    for await (const { event } of this.#log.follow()) yield event;
  }

  /** Stack and processes while it runs, without disturbing it; null before and after. */
  async look(signal?: AbortSignal): Promise<ExecutionLook | null> {
    return this.#status === "running" ? ((await this.#look?.(signal)) ?? null) : null;
  }

  /** @internal Sets how `look` works. */
  lookWith(look: (signal?: AbortSignal) => Promise<ExecutionLook>): void {
    this.#look = look;
  }

  /** The caller's signal no longer stops it, because the caller no longer waits: see `background` of `session.run`. */
  detach(): void {
    this.#forgetCaller();
  }

  /** @internal Adds a sentence of Granary's to the output. */
  note(sentence: string): void {
    void this.#capture?.note(sentence);
  }

  /** Takes it out of the queue, or interrupts it; settles when it is over. */
  async interrupt(): Promise<void> {
    this.#stop?.abort();
    await this.result;
  }

  /** For the session that runs it, as all below: from now on, output becomes events. */
  /** @internal */
  captureWith(capture: Capture): void {
    this.#capture = capture;
    capture.listen((live) => this.tell(live));
  }

  /** @internal */
  tell(event: ExecutionEvent): void {
    if (event.type === "running") {
      this.#status = "running";
      // A cell that took its kernel down begins a second time.
      this.#startedAt ??= Date.now();
    }
    this.#log.append(event);
  }

  /** @internal */
  settle(result: ExecutionResult): void {
    this.#forgetCaller();
    this.#keptArtifact = this.artifact;
    this.#capture = null;
    this.#look = null;
    this.#notebook = null;
    this.#resultWeight = result.output.length + result.displays.reduce((sum, each) => sum + displayWeight(each), 0);
    this.#status = result.status;
    this.#log.append({ type: "over", status: result.status });
    this.#log.close();
    this.#result.resolve(result);
  }

  /** @internal The address of the whole output, if a result omits a part. */
  get artifact(): string | null {
    return this.#capture?.artifact ?? this.#keptArtifact;
  }

  /** A caller's signal may outlive thousands of executions, so each one lets go of it at its end. */
  #listenTo(callersSignal: AbortSignal | undefined): () => void {
    if (callersSignal === undefined) return () => {};
    const onAbort = (): void => this.#stop?.abort(callersSignal.reason);
    if (callersSignal.aborted) onAbort();
    // A call of many cells has a listener for each that waits, which Node would report as a leak.
    setMaxListeners(0, callersSignal);
    callersSignal.addEventListener("abort", onAbort, { once: true });
    return () => callersSignal.removeEventListener("abort", onAbort);
  }
}

/** About the memory of an event without its text. */
const eventCharacters = 64;

/** In characters, about: text, pictures and values are what takes up memory. */
function weightOf(event: ExecutionEvent): number {
  if ("text" in event) return eventCharacters + event.text.length;
  if (event.type === "move") return eventCharacters + event.sequence.length;
  return eventCharacters + (event.type === "display" ? displayWeight(event.display) : 0);
}

function displayWeight({ text, parts }: CapturedDisplay): number {
  return parts.reduce((sum, part) => sum + partWeight(part), text.length);
}

function partWeight(part: ShownPart): number {
  if (part.type === "image") return part.base64.length;
  return part.type === "json" ? jsonLength(part.value) : eventCharacters;
}
