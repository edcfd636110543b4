import type { Writable } from "node:stream";
import type { NotebookProgress } from "../../../../execute/notebook/notebook-run.ts";
import { saySeconds } from "../../../../execute/notebook/run-summary.ts";
import type { CellStatus } from "../../../../session/cell/cell-verdict.ts";
import { clamp } from "../../../../view/text/fit.ts";
import { oneLine } from "../../../../view/text/printable.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { besideProgress, eraseLine } from "./progress.ts";

export interface SeveralProgress extends Disposable {
  take(file: string, progress: NotebookProgress): void;
  end(file: string, status: CellStatus, durationMs: number): void;
}

/** A line for each finished notebook and, on a terminal, one below them for those that run. */
export function severalProgress(
  context: CommandContext,
  { json, files }: { readonly json: boolean; readonly files: readonly string[] },
): SeveralProgress {
  const of = files.length;
  const lines = besideProgress(context);
  const live = context.isTerminal("stderr") ? new LiveLine(context.stderr, files) : null;
  let over = 0;
  return {
    take: (file, progress) => live?.take(file, progress),
    end(file, status, durationMs) {
      over += 1;
      const line = `${file} (${over} of ${of}): ${status}, ${saySeconds(durationMs)}\n`;
      if (!json) lines.write(line);
      live?.end(file);
    },
    [Symbol.dispose]: () => live?.[Symbol.dispose](),
  };
}

const refreshMs = 200;

/** `3 of 12 done · a.ipynb 4/9 · b.ipynb 1/2` */
class LiveLine implements Disposable {
  readonly #stream: Writable & { readonly columns?: number };
  readonly #files: readonly string[];
  readonly #running = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  #over = 0;

  constructor(stream: Writable, files: readonly string[]) {
    this.#stream = stream;
    this.#files = files;
    this.#timer = setInterval(() => this.#draw(), refreshMs).unref();
  }

  take(file: string, progress: NotebookProgress): void {
    if (progress.type === "cell-begins") this.#running.set(file, `${file} ${progress.number}/${progress.of}`);
  }

  end(file: string): void {
    this.#over += 1;
    this.#running.delete(file);
    this.#draw();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#stream.write(eraseLine);
  }

  #draw(): void {
    // In the given order, so that they do not change places on the screen.
    const places = this.#files.flatMap((file) => this.#running.get(file) ?? []);
    const line = [`${this.#over} of ${this.#files.length} done`, ...places].join(" · ");
    // A line as wide as the terminal would wrap, and could not be erased.
    this.#stream.write(`${eraseLine}${clamp(oneLine(line), (this.#stream.columns || 80) - 1)}`);
  }
}
