import type { Captured, ExecutionCapture } from "../../../output/capture.ts";
import type { BashRun } from "../../../shell/run-bash.ts";
import { sayElapsed } from "../../../view/elapsed.ts";
import { indented } from "../../../view/gutter.ts";
import { truncationLines } from "../../../view/notice-lines.ts";
import { renderOutput } from "../../../view/output-lines.ts";
import type { Work } from "../work.ts";
import { type Block, type Look, RenderedLines } from "./block.ts";
import { typedCode } from "./typed-code.ts";

const previewLines = 20;
const tailBytes = 8192;

interface End {
  readonly captured: Captured;
  readonly run: BashRun | null;
  readonly problem: string | null;
}

/** A command of the shell, with what it put out. */
export class BashBlock implements Block, Work {
  readonly command: string;
  readonly interrupt: () => void;
  readonly isInBackground = false;
  readonly startedAt = Date.now();
  readonly #lines = new RenderedLines();
  readonly #onChange: () => void;
  #capture: ExecutionCapture | null = null;
  #end: End | null = null;
  #version = 0;

  /** @param interrupt ends the command */
  constructor(command: string, interrupt: () => void, onChange: () => void) {
    this.command = command;
    this.interrupt = interrupt;
    this.#onChange = onChange;
  }

  /** What it has put out, for those who come when it is over. */
  get output(): string {
    return this.#end?.captured.output ?? "";
  }

  begins(capture: ExecutionCapture): void {
    this.#capture = capture;
    capture.listen(() => this.#change());
  }

  /** @param problem why it could not be run */
  ends(captured: Captured, run: BashRun | null, problem: string | null = null): void {
    this.#end = { captured, run, problem };
    this.#capture = null;
    this.#change();
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, this.#version, () => [
      ...typedCode(`!${this.command}`, "python", look),
      ...(this.#end === null ? this.#soFar(look) : this.#all(look, this.#end)),
    ]);
  }

  #soFar(look: Look): readonly string[] {
    const { width, theme, liveRows } = look;
    const tail = this.#capture?.tail(tailBytes) ?? "";
    return renderOutput(tail, { width, theme, expanded: false, previewLines: Math.min(previewLines, liveRows) });
  }

  #all(look: Look, { captured, run, problem }: End): readonly string[] {
    const options = { width: look.width, theme: look.theme, expanded: look.expanded, expandKey: "ctrl+o" };
    return [
      ...renderOutput(captured.output, { ...options, previewLines }),
      ...truncationLines(captured.truncation, null, options),
      ...indented(problem === null ? [] : [look.theme.error(problem)]),
      ...indented(run === null ? [] : verdict(run, look)),
    ];
  }

  #change(): void {
    this.#version += 1;
    this.#onChange();
  }
}

function verdict({ status, exitCode, signal, durationMs, leftRunning }: BashRun, { theme }: Look): readonly string[] {
  const left = leftRunning === null ? [] : [theme.muted("left something running in the background")];
  if (status === "cancelled") return [theme.warning("interrupted"), ...left];
  if (signal !== null) return [theme.error(`ended by ${signal}`), ...left];
  if (exitCode !== 0) return [theme.error(`exit code ${exitCode}`), ...left];
  return durationMs < 1000 ? left : [theme.muted(`took ${sayElapsed(durationMs)}`), ...left];
}
