import { endGroup, endsWithin, signalGroup } from "../../support/process-group.ts";
import { KernelError } from "../errors.ts";
import type { KernelEvent, MimeBundle, StreamName } from "../events.ts";
import type { Completion, ExecuteOptions, ExitReport, Kernel, KernelInfo, KernelState } from "../kernel.ts";
import { Background } from "./background.ts";
import { type EndedBy, exitReport } from "./exit-report.ts";
import {
  type ControlFrame,
  type ControlRequest,
  decodeFrame,
  encode,
  type Frame,
  type Hello,
  type Request,
} from "./frames.ts";
import { Interrupter } from "./interrupter.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { Streams } from "./open-streams.ts";
import { OrderedOutput } from "./ordered-output.ts";
import { Replies } from "./replies.ts";
import { RunnerCell } from "./runner-cell.ts";
import type { RunnerProcess } from "./spawn-runner.ts";

const flushEveryMs = 20;
const lastOutputMs = 30;
const closeGraceMs = 2000;
const terminateGraceMs = 1000;
const stderrTailCharacters = 4096;

/** A Python of our own, behind the kernel contract. */
export class RunnerKernel implements Kernel {
  readonly id: string;
  readonly info: KernelInfo;
  readonly exited: Promise<ExitReport>;
  readonly #runner: RunnerProcess;
  readonly #graceMs: number;
  readonly #output: OrderedOutput;
  readonly #interrupter: Interrupter;
  readonly #background = new Background();
  readonly #replies = new Replies();
  readonly #heldLanes: Record<StreamName, boolean> = { stdout: false, stderr: false };
  #streams: Streams | undefined;
  #state: KernelState = "idle";
  #cell: RunnerCell | undefined;
  #flushing: NodeJS.Timeout | undefined;
  #consumerBehind = false;
  #lastNumber = 0;
  #lastChunkAt = 0;
  #lastStderr = "";
  #endedBy: EndedBy = "itself";
  #closing: Promise<void> | undefined;

  constructor(runner: RunnerProcess, hello: Hello, options: { readonly graceMs: number }) {
    this.#runner = runner;
    this.#graceMs = options.graceMs;
    this.id = `runner-${hello.pid}`;
    const { python: version, executable, pid } = hello;
    this.info = { backend: "runner", language: "python", version, executable, pid };
    this.#interrupter = new Interrupter(runner, (cell) => this.#control({ op: "owner", id: cell }));
    this.#output = new OrderedOutput(hello.mark, {
      onText: (name, text) => this.#takeText(name, text),
      onFrame: (frame) => this.#takeFrame(frame),
      onHeld: (name, held) => {
        this.#heldLanes[name] = held;
        this.#holdPipes();
      },
    });
    const frames = new LineSplitter((line) => this.#output.frame(decodeFrame<Frame>(line)));
    runner.frames.on("data", (chunk: Buffer) => this.#guard(() => frames.push(chunk)));
    const control = new LineSplitter((line) => this.#replies.take(decodeFrame<ControlFrame>(line).id, undefined));
    runner.control.on("data", (chunk: Buffer) => this.#guard(() => control.push(chunk)));
    this.exited = this.#watchExit();
  }

  /** Bytes of stdout or stderr have come. */
  takeChunk(name: StreamName, chunk: Buffer): void {
    this.#lastChunkAt = performance.now();
    this.#output.bytes(name, chunk);
  }

  useStreams(streams: Streams): void {
    this.#streams = streams;
  }

  get state(): KernelState {
    return this.#state;
  }

  execute(code: string, options: ExecuteOptions = {}): AsyncIterable<KernelEvent> {
    this.#requireIdle();
    const cell = new RunnerCell(++this.#lastNumber, options, {
      answer: (ask, text) => this.#control({ op: "answer", ask, text }),
      onBackground: (name, text) => this.#background.push(name, text),
      onPressure: (full) => {
        this.#consumerBehind = full;
        this.#holdPipes();
      },
    });
    this.#cell = cell;
    this.#state = "busy";
    const { internal, cwd, env, signal } = options;
    this.#request({
      op: "execute",
      id: cell.id,
      code,
      ...(internal ? { internal } : {}),
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    });
    // A cell that prints is flushed by the clock while it runs; a short one flushes itself when it ends.
    this.#flushing = setInterval(() => this.#tick(cell), flushEveryMs);
    if (signal) this.#interruptOn(signal, cell);
    return this.#events(cell);
  }

  async interrupt(): Promise<void> {
    const cell = this.#cell;
    if (!cell) return;
    cell.hurry();
    const interrupted = this.#interrupter.interrupt(cell.id, cell.ended);
    if (await endsWithin(interrupted, this.#graceMs)) return;
    this.#endedBy = "resistance";
    await endGroup(this.#runner.pid, this.exited, terminateGraceMs);
  }

  async ping(signal?: AbortSignal): Promise<void> {
    await this.#asked((id) => this.#control({ op: "ping", id }), signal);
  }

  async complete(code: string, cursor: number): Promise<Completion> {
    this.#requireIdle();
    const points = (units: number): number => [...code.slice(0, units)].length;
    const units = (count: number): number => [...code].slice(0, count).join("").length;
    const question = { op: "complete", code, cursor: points(cursor) } as const;
    const answer = (await this.#asked((id) => this.#request({ ...question, id }))) as Completion;
    return { matches: answer.matches, start: units(answer.start), end: units(answer.end) };
  }

  async inspect(code: string, cursor: number): Promise<MimeBundle> {
    this.#requireIdle();
    const question = { op: "inspect", code, cursor: [...code.slice(0, cursor)].length } as const;
    return (await this.#asked((id) => this.#request({ ...question, id }))) as MimeBundle;
  }

  onBackground(listener: (text: string, name: StreamName) => void): void {
    this.#background.listen(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    if (this.#state === "dead") return;
    this.#endedBy = "close";
    this.#request({ op: "shutdown" });
    const cell = this.#cell;
    if (cell) void this.#interrupter.interrupt(cell.id, cell.ended);
    if (await endsWithin(this.exited, closeGraceMs)) return;
    await endGroup(this.#runner.pid, this.exited, terminateGraceMs);
  }

  async *#events(cell: RunnerCell): AsyncGenerator<KernelEvent, void> {
    try {
      for (let event = await cell.next(); event; event = await cell.next()) yield event;
    } finally {
      // Left early: the cell must not go on behind the caller's back.
      if (!cell.hasEnded) {
        cell.abandon();
        await this.interrupt();
      }
    }
  }

  #tick(cell: RunnerCell): void {
    if (!this.#consumerBehind) this.#control({ op: "flush" });
    // After what has arrived already, since a frame knows better than the journal.
    if (!cell.started && this.#hasBegun(cell)) setImmediate(() => cell.begin(false));
  }

  #hasBegun(cell: RunnerCell): boolean {
    return this.#streams?.journal?.begun === cell.id;
  }

  #interruptOn(signal: AbortSignal, cell: RunnerCell): void {
    const interrupt = (): void => {
      if (this.#cell === cell) void this.interrupt();
    };
    if (signal.aborted) return interrupt();
    signal.addEventListener("abort", interrupt, { once: true, signal: cell.ended });
  }

  #takeText(name: StreamName, text: string): void {
    if (name === "stderr") this.#lastStderr = (this.#lastStderr + text).slice(-stderrTailCharacters);
    if (this.#cell) this.#cell.text(name, text);
    else this.#background.push(name, text);
  }

  #takeFrame(frame: Frame): void {
    if (frame.t === "reply") {
      this.#replies.take(frame.id, frame.value);
      return;
    }
    const cell = this.#cell;
    if (!cell) return this.#takeLateFrame(frame);
    if (frame.t === "done") {
      this.#output.cellEnded();
      this.#endCell();
      if (this.#state === "busy") this.#state = "idle";
    }
    cell.frame(frame);
  }

  /** A display from a thread that outlived its cell: its text is background output. */
  #takeLateFrame(frame: Frame): void {
    if (frame.t !== "display") return;
    const text = frame.data["text/plain"];
    if (typeof text === "string") this.#background.push("stdout", `${text}\n`);
  }

  #endCell(): void {
    clearInterval(this.#flushing);
    this.#cell = undefined;
    this.#consumerBehind = false;
    this.#holdPipes();
  }

  async #asked(ask: (id: number) => void, signal?: AbortSignal): Promise<unknown> {
    this.#requireAlive();
    const id = ++this.#lastNumber;
    return this.#replies.to(id, () => ask(id), signal);
  }

  async #watchExit(): Promise<ExitReport> {
    const exit = await this.#runner.exited;
    // Children that the cell left behind go with it.
    signalGroup(this.#runner.pid, "SIGKILL");
    await this.#lastOutput();
    const report = exitReport({
      ...exit,
      endedBy: this.#endedBy,
      graceMs: this.#graceMs,
      lastStderr: this.#lastStderr,
      crashReport: this.#interrupter.crashReport,
    });
    this.#state = "dead";
    this.#output.end();
    if (this.#cell && this.#hasBegun(this.#cell)) this.#cell.begin(false);
    this.#cell?.died(report);
    this.#endCell();
    this.#replies.fail(new KernelError("kernel-died", report.summary, { details: { exit: report } }));
    this.#streams?.stdout.close();
    this.#streams?.stderr.close();
    this.#streams?.journal?.close();
    this.#runner.close();
    return report;
  }

  /**
   * Waits until what Python wrote before it ended has been read. End of file cannot be waited for: a child that left
   * the process group may hold the pipe open.
   */
  async #lastOutput(): Promise<void> {
    const ended = Promise.all([this.#streams?.stdout.ended, this.#streams?.stderr.ended]);
    this.#cell?.hurry();
    this.#lastChunkAt = performance.now();
    while (!(await endsWithin(ended, lastOutputMs))) {
      if (performance.now() - this.#lastChunkAt >= lastOutputMs) return;
    }
  }

  /** Stops reading where the consumer is behind, or a pipe waits at a mark. What is not read, Python waits to write. */
  #holdPipes(): void {
    const { frames } = this.#runner;
    if (this.#consumerBehind) frames.pause();
    else if (frames.isPaused()) frames.resume();
    for (const name of ["stdout", "stderr"] as const) {
      this.#streams?.[name].hold(this.#consumerBehind || this.#heldLanes[name]);
    }
  }

  #request(request: Request): void {
    this.#runner.frames.write(encode(request));
  }

  #control(request: ControlRequest): void {
    this.#runner.control.write(encode(request));
  }

  /** A runner that breaks the protocol is ended: nothing it says can be trusted any more. */
  #guard(take: () => void): void {
    try {
      take();
    } catch {
      this.#endedBy = "nonsense";
      signalGroup(this.#runner.pid, "SIGKILL");
    }
  }

  #requireAlive(): void {
    if (this.#state === "dead" || this.#closing) {
      throw new KernelError("kernel-closed", "This kernel has ended. Start another one.");
    }
  }

  #requireIdle(): void {
    this.#requireAlive();
    if (this.#state === "busy") {
      throw new KernelError("busy", "This kernel is running a cell. Wait for its end, or interrupt it.");
    }
  }
}
