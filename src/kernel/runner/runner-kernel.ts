import type { JsonObject } from "../../support/json/value.ts";
import { endMarked, hasHadChildren, watchForOurEnd } from "../../support/process/kernel-mark.ts";
import { endGroup, endsWithin, signalGroup } from "../../support/process/process-group.ts";
import { KernelError } from "../errors.ts";
import type { KernelEvent, MimeBundle, StreamName } from "../events.ts";
import { insist, type Resistance } from "../insist.ts";
import type {
  CellStack,
  CellTerms,
  Completeness,
  Completion,
  ExecuteOptions,
  ExitReport,
  Kernel,
  KernelInfo,
  StartOptions,
} from "../kernel.ts";
import { OneCellKernel } from "../one-cell-kernel.ts";
import { toCodePoints, toUnits } from "../positions.ts";
import { Replies } from "../replies.ts";
import { stoppedProcess, type Trouble, whyEnded } from "../trouble.ts";
import type { VariableLimits, VariableListing } from "../variables.ts";
import { askStack, type StackQuestion } from "./ask-stack.ts";
import type { CheckpointSocket, CheckpointWish } from "./checkpoints/checkpoint-socket.ts";
import type { CheckpointAnswer, Checkpointing } from "./checkpoints/kernel-checkpoint.ts";
import type { Connect } from "./checkpoints/runner-checkpoint.ts";
import { type RunnerEnd, runnerExitReport } from "./exit-report.ts";
import { HostCalls } from "./host-calls.ts";
import { Interrupter } from "./interrupter.ts";
import { listVariables, type VariablesQuestion } from "./list-variables.ts";
import { displayOf, RunnerCell } from "./runner-cell.ts";
import { commOf, encodeComm, RunnerComms } from "./runner-comms.ts";
import type { RunnerProcess } from "./spawn-runner.ts";
import type { CellFrame, Frame, Hello } from "./wire/frames.ts";
import { RunnerWire } from "./wire/runner-wire.ts";

const flushEveryMs = 20;
const closeGraceMs = 2000;
const terminateGraceMs = 1000;
const stderrTailCharacters = 4096;

const noCopies: ReadonlySet<number> = new Set();
const cannot: Connect = async () => {
  throw new KernelError("start-failed", "This kernel was connected by hand, so its copies cannot be.");
};

/** A Python of our own, behind the kernel contract. */
export class RunnerKernel extends OneCellKernel<RunnerCell, RunnerEnd> implements Kernel {
  readonly id: string;
  readonly info: KernelInfo;
  readonly exited: Promise<ExitReport>;
  readonly hasPrelude: boolean;
  readonly wire: RunnerWire;
  readonly checkpoints: Checkpointing = {
    ready: () => this.#expectCopies(),
    take: () => this.#takeCheckpoint(),
    pids: () => (this.#copies === undefined ? noCopies : this.#copies.pids),
  };
  readonly #connect: Connect;
  readonly #whyNoCopies: string | undefined;
  readonly #whyFailed: StartOptions["whyFailed"];
  #copies: CheckpointSocket | undefined;
  readonly #runner: RunnerProcess;
  readonly #graceMs: number;
  readonly #interrupter: Interrupter;
  /** Null before the first: a plain cell asks nothing and calls nothing. */
  #replies: Replies<number, unknown> | null = null;
  #hostCalls: HostCalls | null = null;
  #comms: RunnerComms | null = null;
  readonly #onHostCall: StartOptions["onHostCall"];
  readonly #onImports: StartOptions["onImports"];
  // One timer for all cells, since making one costs more than anything else the host does for a trivial cell.
  readonly #ticker = setTimeout(() => this.#tick(), flushEveryMs);
  readonly #stopWatching: () => void;
  /** Whether it may leave processes behind in other groups; true unless it was idle and we looked right before its end. */
  #mayLeaveProcesses = true;
  #lastNumber = 0;
  #lastStderr = "";

  constructor(
    runner: RunnerProcess,
    hello: Hello,
    options: { readonly graceMs: number; readonly connect?: Connect } & Pick<
      StartOptions,
      "onHostCall" | "onImports" | "whyNoCopies" | "whyFailed" | "sandbox"
    >,
  ) {
    super();
    this.#connect = options.connect ?? cannot;
    this.#whyNoCopies = options.whyNoCopies;
    this.#whyFailed = options.whyFailed;
    this.#onImports = options.onImports;
    this.#onHostCall = options.onHostCall;
    this.#runner = runner;
    this.#graceMs = options.graceMs;
    this.id = `runner-${hello.pid}`;
    this.hasPrelude = hello.prelude ?? false;
    const { python: version, executable, restored } = hello;
    const { sandbox } = options;
    const some = { ...(restored && { restored }), ...(sandbox !== undefined && { sandbox }) };
    this.info = { backend: "runner", language: "python", version, executable, pid: runner.pythonPid, ...some };
    this.wire = new RunnerWire(runner, hello.mark, {
      onText: (name, text) => this.#takeText(name, text),
      onFrame: (frame) => this.#takeFrame(frame),
      onControl: (frame) => this.#replies?.take(frame.id, frame),
      onNonsense: () => this.#endAsNonsense(),
    });
    const askOwner = (cell: number) => this.wire.control({ op: "owner", id: cell });
    this.#interrupter = new Interrupter(runner, {
      askOwner,
      delivered: () => this.wire.delivered,
      onNonsense: () => this.#endAsNonsense(),
    });
    this.#stopWatching = watchForOurEnd();
    this.exited = this.#watchExit();
  }

  execute(code: string, options: ExecuteOptions = {}): AsyncIterable<KernelEvent> {
    this.requireIdle();
    const cell = new RunnerCell(++this.#lastNumber, options, {
      answer: (ask, text) => this.wire.control({ op: "answer", ask, text }),
      onBackground: (name, text) => this.background.push(name, text),
      onPressure: (full) => this.wire.hold(full),
    });
    const events = this.begin(cell);
    this.#ticker.refresh();
    const { internal, cwd, env, terminal, bootstrap, signal } = options;
    const forms = options.forms === "readable" ? options.forms : undefined;
    const checkpoint = options.onCheckpoint && this.#expectCopy(options.onCheckpoint);
    const shown = { internal: internal || undefined, cwd, env, terminal, forms, bootstrap, checkpoint };
    // Left out of the JSON where they are undefined.
    const usual = { op: "execute", id: cell.id, code, ...shown } as const;
    this.wire.request(options.terms === undefined ? usual : { ...usual, ...onTerms(options.terms) });
    this.interruptOn(signal, cell);
    return events;
  }

  #expectCopy(onCheckpoint: NonNullable<ExecuteOptions["onCheckpoint"]>): CheckpointWish | undefined {
    const expected = this.#copies?.expect();
    if (expected) onCheckpoint(expected.answer);
    return expected?.wish;
  }

  /** Loaded only now: most hosts run one cell. */
  async #expectCopies(): Promise<void> {
    if (this.#whyNoCopies !== undefined) throw new Error(this.#whyNoCopies);
    if (this.#copies === undefined) {
      const { expectCopies } = await import("./checkpoints/runner-checkpoint.ts");
      this.#copies ??= expectCopies(this.#connect);
    }
    await this.#copies.open();
  }

  async #takeCheckpoint(): Promise<CheckpointAnswer> {
    if (this.#whyNoCopies !== undefined) return { whyNot: this.#whyNoCopies };
    await this.#expectCopies();
    this.requireIdle();
    const expected = this.#copies?.expect();
    if (!expected) return { whyNot: "the kernel has ended" };
    this.wire.request({ op: "checkpoint", checkpoint: expected.wish });
    // The kernel answers when it has made the copy.
    void this.isComplete("").then(
      () => this.#copies?.giveUpMissing(),
      () => undefined,
    );
    return expected.answer;
  }

  async ping(signal?: AbortSignal): Promise<void> {
    await this.#ask((id) => this.wire.control({ op: "ping", id }), signal);
  }

  findTrouble(): Promise<Trouble | null> {
    return stoppedProcess(this.#runner.pythonPid, "Python");
  }

  async complete(code: string, cursor: number, signal?: AbortSignal): Promise<Completion> {
    this.requireIdle();
    const question = { op: "complete", code, cursor: toCodePoints(code, cursor) } as const;
    const answer = (await this.#ask((id) => this.wire.request({ ...question, id }), signal)) as Completion;
    return { ...answer, start: toUnits(code, answer.start), end: toUnits(code, answer.end) };
  }

  async inspect(code: string, cursor: number, signal?: AbortSignal, detail?: 0 | 1): Promise<MimeBundle> {
    this.requireIdle();
    const question = { op: "inspect", code, cursor: toCodePoints(code, cursor), detail: detail || undefined } as const;
    return (await this.#ask((id) => this.wire.request({ ...question, id }), signal)) as MimeBundle;
  }

  async isComplete(code: string, signal?: AbortSignal): Promise<Completeness> {
    this.requireIdle();
    return (await this.#ask((id) => this.wire.request({ op: "is-complete", code, id }), signal)) as Completeness;
  }

  variables(limits?: VariableLimits, signal?: AbortSignal): Promise<VariableListing> {
    const ask = (question: VariablesQuestion, deadline: AbortSignal): Promise<unknown> =>
      this.#ask((id) => this.wire.control({ ...question, id }), deadline);
    return listVariables(ask, limits, signal);
  }

  stack(signal?: AbortSignal): Promise<CellStack> {
    const cell = this.cell?.id;
    const ask = (question: StackQuestion, deadline: AbortSignal): Promise<unknown> =>
      this.#ask((id) => this.wire.control({ ...question, id }), deadline);
    return askStack(ask, () => (cell === undefined ? null : this.wire.notedStack(cell)), signal);
  }

  get comms(): RunnerComms {
    this.#comms ??= new RunnerComms((signal) => this.#ask((id) => this.wire.control({ op: "comms", id }), signal));
    return this.#comms;
  }

  protected async closeNow(): Promise<void> {
    if (this.state === "dead") return;
    this.endedBy = "close";
    // A cell that is interrupted now may still start some.
    this.#mayLeaveProcesses = this.cell !== undefined || hasHadChildren(this.#runner.pid);
    this.wire.request({ op: "shutdown", ...(this.#onImports ? { imports: true } : undefined) });
    const cell = this.cell;
    if (cell) void this.#interrupter.interrupt(cell.id);
    if (await endsWithin(this.exited, closeGraceMs)) return;
    await endGroup(this.#runner.pythonPid, this.exited, terminateGraceMs);
  }

  protected async kill(): Promise<void> {
    signalGroup(this.#runner.pid, "SIGKILL");
  }

  async #whatResists(cell: RunnerCell, resistance: Resistance): Promise<RunnerEnd> {
    const trouble = await this.findTrouble();
    if (trouble !== null) return { trouble: whyEnded(trouble) };
    return this.#mayHaveBegun(cell) ? resistance : "no beginning";
  }

  /** While a cell runs, its output is flushed by the clock; a short one flushes itself when it ends. */
  #tick(): void {
    const cell = this.cell;
    if (!cell) return;
    this.#ticker.refresh();
    if (!this.wire.held) this.wire.control({ op: "flush" });
    this.#interrupter.look();
    // After what has arrived already, since a frame knows better than the journal.
    if (!cell.started && this.wire.begun === cell.id) setImmediate(() => cell.begin(false));
  }

  protected async interruptCell(cell: RunnerCell): Promise<void> {
    cell.events.hurry();
    const interrupt = (attempt: number): Promise<void> => this.#interrupter.interrupt(cell.id, attempt);
    const resistance = await insist({ over: cell.over, graceMs: this.#graceMs, interrupt });
    if (resistance === null) return;
    const endedBy = await this.#whatResists(cell, resistance);
    if (cell.hasEnded) return;
    this.endedBy = endedBy;
    await endGroup(this.#runner.pythonPid, this.exited, terminateGraceMs);
  }

  #takeText(name: StreamName, text: string): void {
    if (name === "stderr") this.#lastStderr = (this.#lastStderr + text).slice(-stderrTailCharacters);
    // Output before the journal entry of the cell was printed before the cell began.
    if (this.cell && this.#mayHaveBegun(this.cell)) this.cell.text(name, text);
    else this.background.push(name, text);
  }

  #mayHaveBegun(cell: RunnerCell): boolean {
    return cell.started || (this.wire.begun ?? cell.id) === cell.id;
  }

  #takeFrame(frame: Frame): void {
    if (frame.t === "reply") return void this.#replies?.take(frame.id, frame.value);
    if (frame.t === "imports") return this.#onImports?.(frame.modules);
    if (frame.t === "no-checkpoint") return this.#copies?.refuse(frame.checkpoint, frame.why);
    if (frame.t === "host-cancel") return this.#hostCalls?.cancel(frame.call);
    const cell = this.cell;
    if (frame.t === "host-call") {
      if (frame.id === cell?.id) cell.begin(false);
      this.#hostCalls ??= new HostCalls(this.#onHostCall, (call, reply) => this.wire.replyToHostCall(call, reply));
      return this.#finishLater(this.#hostCalls.take(frame));
    }
    if (!cell) return this.#takeLateFrame(frame);
    if (frame.t === "done") {
      this.wire.cellEnded();
      this.#endCell();
      if (this.#copies?.isWaiting) void this.#copies.giveUpMissing();
    }
    cell.frame(frame);
  }

  /** From a thread that outlived its cell: a question gets no answer. */
  #takeLateFrame(frame: CellFrame): void {
    if (frame.t === "ask") return this.wire.control({ op: "answer", ask: frame.ask, text: null });
    if (frame.t === "display") this.#finishLater(this.displayedLate(displayOf(frame)));
    if (frame.t === "comm") this.#finishLater(this.comms.takeLate(commOf(frame)));
  }

  /** A frame that turns out to be forged only after it was taken ends this kernel, not the host. */
  #finishLater(work: Promise<void>): void {
    work.catch(() => this.#endAsNonsense());
  }

  #endAsNonsense(): void {
    if (this.state === "dead") return;
    this.endedBy = "nonsense";
    signalGroup(this.#runner.pid, "SIGKILL");
  }

  #endCell(): void {
    this.#interrupter.stop();
    this.endCell();
    this.wire.hold(false);
  }

  async #watchExit(): Promise<ExitReport> {
    const exit = await this.#runner.exited;
    void this.#copies?.close();
    // Children that the cell left behind go with it.
    signalGroup(this.#runner.pid, "SIGKILL");
    this.#stopWatching();
    const { mark } = this.#runner;
    if (mark !== null && this.#mayLeaveProcesses) await endMarked(mark);
    this.cell?.events.hurry();
    await this.wire.drain();
    const failedByItself = this.endedBy === "itself" && exit.exitCode !== 0;
    const why = failedByItself && this.#whyFailed?.(this.#runner.pythonPid, this.#lastStderr);
    if (why) this.endedBy = { trouble: why };
    const report = runnerExitReport({
      ...exit,
      endedBy: this.endedBy,
      graceMs: this.#graceMs,
      lastStderr: this.#lastStderr,
      crashReport: this.#interrupter.crashReport,
    });
    const cell = this.cell;
    if (cell && this.wire.begun === cell.id) cell.begin(false);
    this.die();
    this.#endCell();
    this.#hostCalls?.end();
    clearTimeout(this.#ticker);
    cell?.died(report);
    this.#replies?.fail(() => new KernelError("kernel-died", report.summary, { details: { exit: report } }));
    this.wire.close();
    return report;
  }

  async #ask(ask: (id: number) => void, signal?: AbortSignal): Promise<unknown> {
    this.requireAlive();
    const id = ++this.#lastNumber;
    this.#replies ??= new Replies();
    return this.#replies.to(id, () => ask(id), signal);
  }
}

function onTerms({ unnumbered, silent, withoutInput, expressions, parent, comm }: CellTerms): {
  history?: false;
  silent?: true;
  stdin?: false;
  expressions?: Readonly<Record<string, string>>;
  parent?: JsonObject;
  comm?: JsonObject;
} {
  return {
    ...(unnumbered && { history: false }),
    ...(silent && { silent: true }),
    ...(withoutInput && { stdin: false }),
    ...(expressions && { expressions }),
    ...(parent && { parent }),
    ...(comm && { comm: encodeComm(comm) }),
  };
}
