import { CallDispatcher } from "../bridge/call-dispatcher.ts";
import { nobodyServes } from "../kernel/answer-call.ts";
import type { MimeBundle, StreamName } from "../kernel/events.ts";
import type { OnHostCall } from "../kernel/host-call.ts";
import type { Completeness, Completion, Kernel, KernelInfo, ReadersTerminal } from "../kernel/kernel.ts";
import type { Trouble } from "../kernel/trouble.ts";
import type { VariableLimits, VariableListing } from "../kernel/variables.ts";
import { type Capture, noCapture } from "../output/capture.ts";
import { GranaryError } from "../support/granary-error.ts";
import { keepingHost } from "../support/process/keeping-host.ts";
import { noteWaiting, onBehalfOf, whoWaits, wouldWaitForItself } from "./admission.ts";
import { asCell, CellQueue, type Conclusion, type Queued, whyRefused } from "./cell/cell-queue.ts";
import { Holds } from "./cell/holds.ts";
import { runToResult } from "./cell/run-to-result.ts";
import { BranchCalls, branchKernel } from "./checkpoints/branch.ts";
import { changeOf, type LineCell, type LineMove, nextInLine, numberOf } from "./checkpoints/cell-line.ts";
import { restoreState } from "./checkpoints/restore-state.ts";
import type { Checkpoint, CreateTimeline, RestoreTarget, Timeline } from "./checkpoints/timeline.ts";
import { type Cell, Execution, type ExecutionResult } from "./execution/execution.ts";
import { type ExecutionLook, lookInside } from "./execution/look-inside.ts";
import { notRun } from "./execution/not-run.ts";
import type { SharedResetOptions, SharedRunOptions } from "./execution/run-options.ts";
import { BackgroundOutput } from "./kernel-life/background-output.ts";
import { AwaitedBeginning } from "./kernel-life/heartbeat.ts";
import { type Life, LifeCycle, type Move } from "./kernel-life/life.ts";
import {
  type ExplainOutput,
  ensureKernel,
  type Provision,
  type StartKernel,
  Succession,
} from "./kernel-life/succession.ts";
import { endOfCall, nothingSeen, type SeenGeneration } from "./ledger.ts";
import { type SessionObserver, SessionObservers } from "./observers.ts";
import { PythonTools } from "./python-tools.ts";
import { RecentCells } from "./recent-cells.ts";
import type { SessionHold, SharedSession } from "./shared-session.ts";

export interface SharedSessionOptions {
  readonly start: StartKernel;
  readonly provision: (session: LocalSession) => Provision;
  readonly crashRetry: "once" | "never";
  /** Makes the session's checkpoints; without it, there are none. */
  readonly timeline?: CreateTimeline | undefined;
  /** `per-call`: the kernel is ended with the last of the cells that belong together. */
  readonly kernelMode: "session" | "per-call";
  /** Called when the last cell of the queue is over. */
  onIdle(): void;
  createCapture(terminal: ReadersTerminal | undefined): Capture;
  nextExecutionId(): string;
  /** Called with every execution at its beginning. */
  onExecution(execution: Execution): void;
  /** Called when effects of cells are gone from the variables, or back; also with each fresh kernel. */
  readonly onLine?: ((change: SessionLineChange) => void) | undefined;
  /** Answers calls of Python code to the host's tools. */
  readonly onHostCall?: OnHostCall | undefined;
}

/** Which cells count from now on. */
export interface SessionLineChange {
  readonly why: LineMove;
  /** The ids of executions, the oldest first. */
  readonly undone: readonly string[];
  readonly redone: readonly string[];
  /** The session that ran those that are new here; null where it was this one. */
  readonly from: LocalSession | null;
}

/** A session of this process. */
export class LocalSession implements SharedSession {
  readonly id: string;
  readonly pythonTools = new PythonTools();
  #recentCells: RecentCells | null = null;
  readonly #options: SharedSessionOptions;
  readonly #life = new LifeCycle();
  readonly #calls: CallDispatcher;
  readonly #background = new BackgroundOutput();
  /** Null before the first: most sessions have none. */
  #observers: SessionObservers | null = null;
  readonly #beginning = new AwaitedBeginning();
  readonly #timeline: Timeline | null;
  #branchCalls: BranchCalls | null = null;
  /** The cells whose effects are in the variables. */
  #line: LineCell | null = null;
  readonly #kernels: Succession;
  readonly #provision: Provision;
  /** For callers without a name. */
  #newest: Execution | null = null;
  readonly #anybody: SeenGeneration = { ...nothingSeen };
  readonly #queue: CellQueue;
  readonly #startNotices = new NoticesOnce();
  /** Of the client whose cell runs: a kernel that starts now starts for it. */
  #consent: SharedRunOptions["consent"];
  #explain: ExplainOutput = () => [];
  #whyClosed: string | null = null;
  #idleSince = performance.now();
  readonly #holds = new Holds();

  constructor(id: string, options: SharedSessionOptions) {
    this.id = id;
    this.#options = options;
    const { onHostCall = refuseCall } = options;
    this.#calls = new CallDispatcher((call) => onBehalfOf(this, () => onHostCall(call)));
    const listener = {
      onHostCall: this.#calls.answer,
      onPythonTools: this.pythonTools.replace.bind(this.pythonTools),
      onNotice: (sentence: string) => this.#startNotices.add(sentence),
      onExplainer: (explain: ExplainOutput) => {
        this.#explain = explain;
      },
    };
    this.#timeline =
      options.timeline?.({
        onHostCall: this.#calls.answer,
        tools: () => this.pythonTools.list,
        line: () => this.#line,
        putBack: (tools, line, why) => {
          this.pythonTools.replace(tools);
          this.#goTo(line, why);
        },
        kernel: () => this.kernel,
        isBusy: () => this.isBusy,
      }) ?? null;
    this.#kernels = new Succession(
      Object.assign((signal: AbortSignal) => options.start(signal, listener, this.#consent), {
        check: async () => options.start.check?.(this.#consent),
      }),
      this.#life,
      this.#timeline,
      (kernel) => {
        if (options.onLine !== undefined && kernel.info.restored === undefined) this.#goTo(null, "restart");
        this.#background.listenTo(kernel);
        this.#observers?.listenTo(kernel);
      },
    );
    this.#life.watch(({ to }) => {
      if (to === "interrupted") this.#calls.cellInterrupted();
      if (to === "dead") this.pythonTools.replace([]);
    });
    this.#provision = options.provision(this);
    this.#queue = new CellQueue({
      perform: (queued) => this.#perform(queued),
      cancelled: (queued) => this.#notRun(queued, "cancelled"),
      broken: (queued, error) => this.#notRun(queued, "failed", error),
      mayRun: (queued) => this.#holds.mayRun(queued),
      onIdle: () => this.#becomeIdle(),
    });
  }

  get recentCells(): RecentCells {
    this.#recentCells ??= new RecentCells();
    return this.#recentCells;
  }

  get life(): Life {
    return this.#life.state;
  }

  get generation(): number {
    return this.#kernels.generation;
  }

  get executionCount(): number {
    return this.#kernels.executionCount;
  }

  /** The number of the last cell whose effects are in the variables; 0 for none. */
  get lastCell(): number {
    return numberOf(this.#line);
  }

  /** How many cells have their effects in the variables, and the id of the last one's execution. */
  get counting(): { readonly cells: number; readonly last: string | null } {
    return { cells: this.#line?.place ?? 0, last: this.#line?.id ?? null };
  }

  get kernel(): Kernel | null {
    return this.#kernels.kernel;
  }

  get info(): KernelInfo | null {
    return this.#kernels.kernel?.info ?? null;
  }

  get isBusy(): boolean {
    return this.#queue.all.length > 0;
  }

  /** The running cell, then the waiting ones. */
  get work(): readonly Execution[] {
    return this.#queue.all.map(({ execution }) => execution);
  }

  get isIdle(): boolean {
    return this.life === "ready" && !this.isBusy && this.#holds.areNone;
  }

  get busyWith(): Execution | null {
    const caller = whoWaits();
    return caller !== undefined && wouldWaitForItself(caller, this) ? null : this.#holds.busyWith(this.#queue);
  }

  hold(work: Execution | null = null): SessionHold {
    return this.#holds.add(work, this.#queue, () => {
      if (this.#holds.areNone && !this.isBusy) this.#becomeIdle();
      this.#queue.advance();
    });
  }

  get idleSince(): number {
    return this.#idleSince;
  }

  watch(watcher: (move: Move) => void): () => void {
    return this.#life.watch(watcher);
  }

  onBackground(listener: (text: string, name: StreamName) => void): () => void {
    return this.#background.listen(listener);
  }

  run(cell: Cell | string, options: SharedRunOptions = {}): Execution {
    const typed = asCell(cell);
    // Empty code marks work that is no cell; an empty cell counts, so people must see it.
    const isEmptyCell = typed.code === "" && !options.onlyStarts;
    return this.#enqueue(isEmptyCell ? { ...typed, code: " " } : typed, options, false);
  }

  reset(options: SharedResetOptions = {}): Execution {
    return this.#enqueue({ code: "", title: "restart" }, { ...options, reset: true }, true);
  }

  /** Ends all copies. */
  dropCheckpoints(): void {
    this.#timeline?.dropAll();
  }

  checkpoints(): readonly Checkpoint[] {
    return this.#timeline?.checkpoints ?? [];
  }

  restore(target: RestoreTarget = {}, options: SharedResetOptions = {}): Execution {
    return this.#enqueue({ code: "", title: "undo" }, options, false, (signal) => {
      // A caller without a name learns only of this one.
      this.#anybody.generation = this.generation;
      return restoreState(this.#kernels, this.#timeline, target, signal);
    });
  }

  /** Gives another session of this process, which has no kernel yet, one with the variables of this one. */
  fork(branch: LocalSession, options: SharedResetOptions = {}): Execution {
    const cell = { code: "", title: `branch ${branch.id}` };
    return this.#enqueue(cell, options, false, (signal) => this.#fork(branch, signal));
  }

  async #fork(branch: LocalSession, signal: AbortSignal): Promise<readonly string[]> {
    const kernel = this.#kernels.kernel;
    if (kernel === null)
      throw new GranaryError("no-checkpoint", "There is no kernel yet, and so nothing to branch from.");
    if (branch.kernel !== null || branch.isBusy) throw new GranaryError("session-exists", sessionExists(branch.id));
    const calls = new BranchCalls(branch.#calls.answer);
    branch.#branchCalls = calls;
    branch.#kernels.comeFrom((starting) => branchKernel(kernel, this.#timeline, calls.answer, starting));
    const { failure } = await branch.run({ code: "", title: "start" }, { onlyStarts: true, signal }).result;
    if (failure !== null) throw failure.cause;
    branch.pythonTools.replace(this.pythonTools.list);
    branch.#timeline?.moveOn();
    branch.#goTo(this.#line, "fork", this);
    return [];
  }

  /** Continues with the kernel of a branch, which has none then. */
  keep(branch: LocalSession, options: SharedResetOptions = {}): Execution {
    return this.#enqueue({ code: "", title: `keep ${branch.id}` }, options, false, async () => {
      const { list } = branch.pythonTools;
      const kernel = branch.isBusy ? null : branch.#kernels.release("Its kernel was kept by another session.");
      if (kernel === null) throw new GranaryError("session-busy", `The branch ${branch.id} is busy, or has ended.`);
      branch.#branchCalls?.goTo(this.#calls.answer);
      await this.#kernels.replace(async () => kernel, null);
      this.pythonTools.replace(list);
      this.#timeline?.moveOn();
      this.#goTo(branch.#line, "keep", branch);
      return [];
    });
  }

  async stop(except?: Execution): Promise<void> {
    const all = [...this.#queue.all.map(({ execution }) => execution), ...this.#holds.works];
    await Promise.all(all.filter((execution) => execution !== except).map((execution) => execution.interrupt()));
  }

  async interrupt(): Promise<void> {
    await this.#queue.running?.execution.interrupt();
  }

  async complete(code: string, cursor: number, signal?: AbortSignal): Promise<Completion> {
    if (this.#kernels.kernel?.state === "idle") return this.#kernels.kernel.complete(code, cursor, signal);
    return { matches: [], start: cursor, end: cursor };
  }

  async inspect(code: string, cursor: number, signal?: AbortSignal, detail?: 0 | 1): Promise<MimeBundle> {
    return this.#kernels.kernel?.state === "idle" ? this.#kernels.kernel.inspect(code, cursor, signal, detail) : {};
  }

  /** Whether typed code is ready to run; unknown while a cell runs. */
  async isComplete(code: string, signal?: AbortSignal): Promise<Completeness> {
    const { kernel } = this.#kernels;
    return kernel?.state === "idle" ? kernel.isComplete(code, signal) : { status: "unknown" };
  }

  /** The observer sees everything from now on, until the returned function is called. */
  observe(observer: SessionObserver): () => void {
    if (this.#observers === null) {
      this.#observers = new SessionObservers();
      if (this.kernel !== null) this.#observers.listenTo(this.kernel);
    }
    return this.#observers.add(observer);
  }

  get tellsVariables(): boolean {
    return this.#kernels.kernel?.variables !== undefined;
  }

  async variables(limits?: VariableLimits, signal?: AbortSignal): Promise<VariableListing> {
    const { kernel } = this.#kernels;
    const listing = kernel?.state === "dead" ? undefined : await kernel?.variables?.(limits, signal);
    return listing ?? { variables: [], total: 0 };
  }

  look(signal?: AbortSignal): Promise<ExecutionLook> {
    return lookInside(this.#kernels.kernel, signal);
  }

  /** Ends an idle kernel and keeps the session: the next cell gets a fresh one, and its result the reason. */
  async park(reason: string): Promise<void> {
    if (this.isIdle) await this.#kernels.end(reason);
  }

  /** A check of the kernel found this. */
  heartbeat(trouble: Trouble | null): void {
    this.#beginning.beat(trouble);
  }

  /** The kernel is lost, without an exit. */
  giveUp(kernel: Kernel, reason: string): void {
    this.#kernels.giveUp(kernel, reason);
  }

  /** Stops what runs, drops what waits, ends the kernel. */
  async close(reason = "The session was closed."): Promise<void> {
    this.#whyClosed ??= reason;
    await this.stop();
    await this.#kernels.end(reason);
  }

  #enqueue(cell: Cell, options: SharedRunOptions, onlyReset: boolean, work?: Queued["work"]): Execution {
    const stop = this.#newest?.handOnStop();
    const { signal, partOf, onlyAfter, by, notebook } = options;
    const ties = { partOf, onlyAfter, stop, by, notebook };
    const execution = new Execution(this.#options.nextExecutionId(), this.id, cell, signal, ties);
    this.#newest = execution;
    sessionOf.set(execution, this);
    const queued = { execution, options, onlyReset, work, awaitsReset: options.reset ?? false };
    this.#options.onExecution(execution);
    const caller = whoWaits();
    const waitsForItself = this.isBusy && caller !== undefined && wouldWaitForItself(caller, this);
    const refused = whyRefused(options, { whyClosed: this.#whyClosed, queue: this.#queue.all, waitsForItself });
    if (refused === null && caller !== undefined) noteWaiting(caller, this, execution.result);
    if (refused === null) this.#queue.add(queued);
    else execution.settle(this.#notRun(queued, "failed", refused));
    return execution;
  }

  #becomeIdle(): void {
    this.#idleSince = performance.now();
    this.#options.onIdle();
  }

  async #perform(queued: Queued): Promise<Conclusion> {
    const { execution, options } = queued;
    this.#consent = options.consent;
    if (options.onlyAfter !== undefined) this.#noteWaitingFor(options.onlyAfter);
    const whyNot = await whyNotRun(queued);
    if (whyNot === null && options.reset) {
      if (!queued.onlyReset) await this.#options.start.check?.(options.consent);
      await this.#kernels.end(whyReset(options));
    }
    queued.awaitsReset = false;
    if (whyNot !== null || queued.onlyReset) {
      if (this.#isLastOfCall(queued)) await this.#kernels.end(endOfCall);
      return () => this.#notRun(queued, whyNot ?? "ok");
    }
    if (queued.work !== undefined) {
      const { generation } = this;
      const { work } = queued;
      const said = await keepingHost(() => work(execution.signal));
      const { notices = [] } = options;
      const told = { ...queued, options: { ...options, notices: [...notices, ...said] } };
      return () => this.#notRun(told, "ok", undefined, this.generation > generation);
    }
    if (options.onlyStarts) {
      await ensureKernel(this.#kernels, this.#provision, execution.signal, (reason) =>
        execution.tell({ type: "waiting", reason }),
      );
      return () => this.#notRun(queued, "ok");
    }
    const { askedBy, by = askedBy } = options;
    if (askedBy !== undefined && !options.terms?.silent)
      this.recentCells.add(askedBy, by ?? askedBy, execution.cell.code);
    execution.lookWith((signal) => this.look(signal));
    return runToResult(execution, options, {
      kernels: this.#kernels,
      life: this.#life,
      background: this.#background,
      beginning: this.#beginning,
      calls: this.#calls,
      observers: () => (this.#observers?.isEmpty === false ? this.#observers : null),
      pythonTools: this.pythonTools,
      provision: this.#provision,
      timeline: this.#timeline,
      crashRetry: this.#options.kernelMode === "per-call" ? "never" : this.#options.crashRetry,
      capture: options.uncaptured ? noCapture : (options.capture ?? this.#options.createCapture)(options.terminal),
      seen: options.seen ?? this.#anybody,
      takeNotices: () => (options.onlyStarts ? [] : this.#startNotices.take()),
      explain: (output) => this.#explain(output),
      onLine: ({ id }, count) => {
        if (this.#options.onLine === undefined) return;
        if (count === null) this.#line = nextInLine(this.#line, id);
        else if (this.#line?.id === id) this.#line.count = count;
      },
      isLastOfCall: () => this.#isLastOfCall(queued),
      isClosed: () => this.#whyClosed !== null,
    });
  }

  #goTo(line: LineCell | null, why: LineMove, from: LocalSession | null = null): void {
    const { undone, redone } = changeOf(this.#line, line);
    this.#line = line;
    const ids = (cells: readonly LineCell[]): readonly string[] => cells.map(({ id }) => id);
    this.#options.onLine?.({ why, undone: ids(undone), redone: ids(redone), from });
  }

  /** A call may have cells in several sessions: a session that waits for another keeps its own place. */
  #noteWaitingFor(before: Execution): void {
    const session = sessionOf.get(before);
    if (session !== undefined && session !== this) noteWaiting(this, session, before.result);
  }

  /** Cells that belong together run one only after the other. */
  #isLastOfCall({ execution }: Queued): boolean {
    return this.#options.kernelMode === "per-call" && this.#queue.next?.options.onlyAfter !== execution;
  }

  #notRun({ options }: Queued, status: ExecutionResult["status"], why?: unknown, isFirst = false): ExecutionResult {
    const circumstances = { status, notices: options.notices, why, isFirst, isClosed: this.#whyClosed !== null };
    return notRun(this.#kernels, options.seen ?? this.#anybody, circumstances);
  }
}

/** Sentences that one result reports, however often they are added. */
class NoticesOnce {
  readonly #told = new Set<string>();
  #waiting: string[] = [];

  add(sentence: string): void {
    if (!this.#told.has(sentence)) this.#waiting.push(sentence);
    this.#told.add(sentence);
  }

  take(): readonly string[] {
    const taken = this.#waiting;
    if (taken.length > 0) this.#waiting = [];
    return taken;
  }
}

const sessionOf = new WeakMap<Execution, LocalSession>();

/** Whether it is a cell of that session: others may have the same id, in other folders. */
export function belongsTo(execution: Execution, session: LocalSession): boolean {
  return sessionOf.get(execution) === session;
}

async function refuseCall(): Promise<never> {
  throw new GranaryError("no-tools", nobodyServes);
}

async function whyNotRun({ execution, options }: Queued): Promise<"skipped" | "cancelled" | null> {
  const before = await options.onlyAfter?.result;
  if (before !== undefined && before.status !== "ok") return "skipped";
  return execution.signalWhileRunning.aborted ? "cancelled" : null;
}

function sessionExists(id: string): string {
  return `There is a session ${id} already. Choose another name for the branch.`;
}

function whyReset({ askedBy, by = askedBy }: SharedRunOptions): string {
  return by === undefined ? "A fresh kernel was asked for." : `A fresh kernel was asked for by ${by}.`;
}
