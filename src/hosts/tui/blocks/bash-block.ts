import type { Captured } from "../../../output/capture.ts";
import type { ExecutionCapture } from "../../../output/execution-capture.ts";
import type { BashRun } from "../../../shell/run-bash.ts";
import { runningCommand } from "../../../tools/shell/running-command.ts";
import { sayEnded } from "../../../tools/shell/say-ended.ts";
import { type InteractiveCommand, renderInteractive } from "../../../view/interactive.ts";
import type { ConsoleWork } from "../work.ts";
import { type Look, RenderedLines, type TranscriptBlock } from "./block.ts";
import { interactiveOptions } from "./interactive-options.ts";
import { typedCode } from "./typed-code.ts";

/** In bytes: the budget of an output is much smaller. */
const everything = Number.MAX_SAFE_INTEGER;

/** A shell command with its output. */
export class BashBlock implements TranscriptBlock, ConsoleWork {
  readonly command: string;
  readonly interrupt: () => void;
  readonly executionId = null;
  readonly isInBackground = false;
  readonly startedAt = Date.now();
  readonly #lines = new RenderedLines();
  readonly #onChange: () => void;
  #capture: ExecutionCapture | null = null;
  #end: InteractiveCommand | null = null;
  #version = 0;

  /** @param interrupt ends the command */
  constructor(command: string, interrupt: () => void, onChange: () => void) {
    this.command = command;
    this.interrupt = interrupt;
    this.#onChange = onChange;
  }

  get isUnderWay(): boolean {
    return this.#end === null;
  }

  /** Its output, for callers that ask after its end. */
  get output(): string {
    return this.#end?.output ?? "";
  }

  begins(capture: ExecutionCapture): void {
    this.#capture = capture;
    capture.listen(() => this.#change());
  }

  /**
   * @param ended the result, or why the command could not start
   * @param remarks sentences about the run
   */
  ends(
    { output, totalLines, totalBytes, truncation }: Captured,
    ended: BashRun | "cancelled" | Error,
    remarks: readonly string[] = [],
  ): void {
    const { notices, ...end } = endOf(ended);
    const told = { output, totalLines, totalBytes, truncation, notices: [...remarks, ...notices] };
    this.#end = { ...this.#begun, ...told, ...end };
    this.#capture = null;
    this.#change();
  }

  render(look: Look): readonly string[] {
    const isRunning = this.#end === null;
    return this.#lines.get(look, this.#version, () => [
      ...typedCode(`!${this.command}`, "python", look),
      ...renderInteractive(this.#end ?? this.#begun, interactiveOptions(look, { isRunning })),
    ]);
  }

  get #begun(): InteractiveCommand {
    const { command, startedAt } = this;
    return { ...runningCommand, command, startedAt, output: this.#capture?.tail(everything) ?? "" };
  }

  #change(): void {
    this.#version += 1;
    this.#onChange();
  }
}

function endOf(
  ended: BashRun | "cancelled" | Error,
): Partial<InteractiveCommand> & Pick<InteractiveCommand, "notices"> {
  if (ended === "cancelled") return { status: ended, notices: [] };
  if (ended instanceof Error) return { status: "error", notices: [ended.message] };
  const { status, exitCode, signal, durationMs } = ended;
  return { status, exitCode, signal, durationMs, notices: noticesOf(ended) };
}

function noticesOf({ leftRunning, endedWithIt }: BashRun): readonly string[] {
  if (endedWithIt > 0) return [sayEnded(endedWithIt)];
  return leftRunning === null ? [] : ["A process that it started still runs in the background."];
}
