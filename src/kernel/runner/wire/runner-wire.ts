import { endsWithin } from "../../../support/process/process-group.ts";
import type { StreamName } from "../../events.ts";
import type { RunnerProcess } from "../spawn-runner.ts";
import {
  type ControlFrame,
  type ControlRequest,
  decodeFrame,
  encode,
  encodeHostReply,
  type Frame,
  type Request,
} from "./frames.ts";
import { openFiles } from "./large-file.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { DeliveredInterrupt, NotedStack, Streams } from "./open-streams.ts";
import { OrderedOutput } from "./ordered-output.ts";

const lastOutputMs = 30;

export interface WireListener {
  onText(name: StreamName, text: string): void;
  onFrame(frame: Frame): void;
  onControl(frame: ControlFrame): void;
  /** Something that is no frame came: nothing the runner says can be trusted any more. */
  onNonsense(): void;
}

/** Everything that goes to and comes from one runner, put in order. It knows nothing of cells. */
export class RunnerWire {
  readonly #runner: RunnerProcess;
  readonly #output: OrderedOutput;
  readonly #atMark: Record<StreamName, boolean> = { stdout: false, stderr: false };
  #streams: Streams | undefined;
  #held = false;
  #lastChunkAt = 0;

  constructor(runner: RunnerProcess, mark: string, listener: WireListener) {
    this.#runner = runner;
    this.#output = new OrderedOutput(mark, {
      onText: listener.onText,
      onFrame: listener.onFrame,
      onHeld: (name, held) => {
        this.#atMark[name] = held;
        this.#holdPipes();
      },
    });
    const listen = (socket: RunnerProcess["frames"], onLine: (line: string) => void): void => {
      const lines = new LineSplitter(onLine);
      socket.on("data", (chunk: Buffer) => {
        try {
          lines.push(chunk);
        } catch {
          listener.onNonsense();
        }
      });
    };
    listen(runner.frames, (line) => this.#output.frame(this.#withFiles(decodeFrame<Frame>(line))));
    listen(runner.control, (line) => listener.onControl(decodeFrame<ControlFrame>(line)));
  }

  /** Bytes of stdout or stderr have come. */
  takeChunk(name: StreamName, chunk: Buffer): void {
    this.#lastChunkAt = performance.now();
    this.#output.bytes(name, chunk);
  }

  useStreams(streams: Streams): void {
    this.#streams = streams;
  }

  request(request: Request): void {
    this.#runner.frames.write(encode(request));
  }

  control(request: ControlRequest): void {
    this.#runner.control.write(encode(request));
  }

  replyToHostCall(call: number, reply: string): void {
    this.#runner.control.write(encodeHostReply(call, reply));
  }

  /** The newest cell that has begun, as the journal has it; undefined without a journal. */
  get begun(): number | undefined {
    return this.#streams?.journal?.begun;
  }

  /** The newest interrupt that was delivered, as the journal has it; null without one. */
  get delivered(): DeliveredInterrupt | null {
    return this.#streams?.journal?.delivered ?? null;
  }

  /** The last stack of a cell in the journal; null if there is none. */
  notedStack(cell: number): NotedStack | null {
    return this.#streams?.journal?.stackOf(cell) ?? null;
  }

  /** Whether reading is paused, because the consumer is behind. Python then waits to write. */
  get held(): boolean {
    return this.#held;
  }

  hold(held: boolean): void {
    if (held === this.#held) return;
    this.#held = held;
    if (held) this.#runner.frames.pause();
    else this.#runner.frames.resume();
    this.#holdPipes();
  }

  /** A cell has ended: what its last bytes were the beginning of will not come. */
  cellEnded(): void {
    this.#output.cellEnded();
  }

  /**
   * Hands on what Python wrote before it ended. End of file cannot be waited for: a child that left the process group
   * may hold the pipe open.
   */
  async drain(): Promise<void> {
    const ended = Promise.all([this.#streams?.stdout.ended, this.#streams?.stderr.ended]);
    this.#lastChunkAt = performance.now();
    while (!(await endsWithin(ended, lastOutputMs))) {
      if (performance.now() - this.#lastChunkAt >= lastOutputMs) break;
    }
    this.#output.end();
  }

  close(): void {
    this.#streams?.stdout.close();
    this.#streams?.stderr.close();
    this.#streams?.journal?.close();
    this.#runner.close();
  }

  /** At once, since the runner may end; then tells the runner, which keeps the files until then. */
  #withFiles(frame: Frame): Frame {
    // From the wire, it is forged.
    if ("large" in frame) delete (frame as { large?: unknown }).large;
    if (frame.t === "error" && frame.file) {
      const { of, taken } = openFiles({ traceback: frame.file }, this.#runner);
      this.#tellTaken(taken);
      return { ...frame, ...(of.traceback && { large: of.traceback }) };
    }
    if ((frame.t !== "display" && frame.t !== "result" && frame.t !== "comm") || !frame.files) return frame;
    const { of, taken } = openFiles(frame.files, this.#runner);
    this.#tellTaken(taken);
    return { ...frame, large: of };
  }

  #tellTaken(files: readonly number[]): void {
    for (const file of files) this.control({ op: "taken", file });
  }

  #holdPipes(): void {
    for (const name of ["stdout", "stderr"] as const) this.#streams?.[name].hold(this.#held || this.#atMark[name]);
  }
}
