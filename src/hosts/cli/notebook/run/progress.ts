import type { Writable } from "node:stream";
import type { CellReport, NotebookProgress } from "../../../../execute/notebook/notebook-run.ts";
import { saySeconds } from "../../../../execute/notebook/run-summary.ts";
import { sanitize } from "../../../../output/text/sanitize.ts";
import { clamp } from "../../../../view/text/fit.ts";
import { oneLine } from "../../../../view/text/printable.ts";
import type { CommandContext } from "../../command/command-context.ts";

export interface ProgressReport extends Disposable {
  take(progress: NotebookProgress): void;
}

/** One line on a terminal, rewritten in place; elsewhere a line per cell, unless the reader is a program. */
export function progressReport(context: CommandContext, { json }: { readonly json: boolean }): ProgressReport {
  if (context.isTerminal("stderr")) return new LiveLine(context.stderr);
  const { stderr } = context;
  return {
    take(progress) {
      if (progress.type === "cell-ends" && !json) stderr.write(`${plainLine(progress)}\n`);
    },
    [Symbol.dispose]() {},
  };
}

interface Place {
  readonly cell: CellReport;
  readonly number: number;
  readonly of: number;
}

function plainLine({ cell, number, of }: Place): string {
  return `cell ${cell.index} (${number} of ${of}): ${cell.status}, ${saySeconds(cell.durationMs)}`;
}

const refreshMs = 200;

/** Which cell of how many, for how long, and the last line that it has printed. */
class LiveLine implements ProgressReport {
  readonly #stream: Writable & { readonly columns?: number };
  readonly #timer: NodeJS.Timeout;
  #place: Place | null = null;
  #begun = performance.now();
  #tail = "";

  constructor(stream: Writable) {
    this.#stream = stream;
    this.#timer = setInterval(() => this.#draw(), refreshMs).unref();
  }

  take(progress: NotebookProgress): void {
    switch (progress.type) {
      case "cell-begins":
        this.#place = progress;
        this.#begun = performance.now();
        this.#tail = "";
        this.#draw();
        break;
      case "waiting":
        this.#tail = progress.reason ?? "";
        break;
      case "text":
        this.#tail = (this.#tail + progress.text).slice(-longestTail);
        break;
      case "cell-ends":
        this.#place = null;
        break;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#stream.write(eraseLine);
  }

  #draw(): void {
    if (this.#place === null) return;
    const { cell, number, of } = this.#place;
    const elapsed = saySeconds(performance.now() - this.#begun);
    const line = `cell ${cell.index} (${number} of ${of}) ${elapsed} ${lastLine(this.#tail || cell.source)}`;
    // A line as wide as the terminal would wrap, and could not be erased.
    this.#stream.write(`${eraseLine}${clamp(oneLine(line), (this.#stream.columns || 80) - 1)}`);
  }
}

const longestTail = 1000;
export const eraseLine = "\r\u001b[K";

/** Standard error for sentences while a progress line is shown: each replaces the line, which then comes back. */
export function besideProgress({ stderr, isTerminal }: CommandContext): { write(text: string): void } {
  const before = isTerminal("stderr") ? eraseLine : "";
  return { write: (text) => void stderr.write(before + text) };
}

function lastLine(text: string): string {
  const lines = sanitize(text).split("\n");
  return lines.findLast((line) => line.trim() !== "")?.trim() ?? "";
}
