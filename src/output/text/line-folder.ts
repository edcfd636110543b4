import { areAlike } from "./alike-lines.ts";

/** Lines that a notice stands for. */
export interface Fold {
  /** The notice, with its line end. */
  readonly notice: string;
  readonly lines: number;
  readonly bytes: number;
  /** In UTF-16 units. */
  readonly length: number;
}

export interface FoldTarget {
  text(text: string): void;
  fold(fold: Fold): void;
}

/** Shorter runs stay: thirty printed numbers are data. */
const shortestRun = 100;
/** The first and the last lines of a run that stay. */
const shownLines = 10;
/** Longer lines are content of their own. */
const longestLine = 512;
const longestSample = 80;

interface Run {
  readonly first: string;
  /** Lines so far, of which the first are shown. */
  lines: number;
  /** Lines that may still have to be shown. */
  held: string[];
  folded: { readonly sample: string; lines: number; bytes: number; length: number } | null;
}

/**
 * Replaces the middle of a long run of lines that differ only in their numbers by one line with their exact number. Lines that
 * differ in words stay, and all lines of a printed traceback. What it holds does not grow with the text.
 */
export class LineFolder {
  readonly #target: FoldTarget;
  #open = "";
  /** A part of the open line has been passed on. */
  #isMidLine = false;
  #run: Run | null = null;
  /** The indentation of the traceback that is being printed; null outside of one. */
  #traceback: number | null = null;
  #hasFolded = false;
  /** Text to pass on, in one piece. */
  #ready = "";

  constructor(target: FoldTarget) {
    this.#target = target;
  }

  get isEmpty(): boolean {
    return this.#open === "" && this.#run === null;
  }

  /** Whether lines are left out. */
  get hasFolded(): boolean {
    return this.#hasFolded;
  }

  push(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#endLine(this.#open + text.slice(start, end + 1));
      this.#open = "";
      start = end + 1;
    }
    this.#open += text.slice(start);
    if (this.#open.length > longestLine || this.#isMidLine) this.#breakLine();
    this.#passOn();
  }

  /** Passes on everything, because a display follows, or nothing. */
  flush(): void {
    if (this.#open === "") this.#endRun();
    else this.#breakLine();
    this.#passOn();
  }

  /** Text that went to the target directly. */
  passed(text: string): void {
    if (text !== "") this.#isMidLine = !text.endsWith("\n");
  }

  copy(target: FoldTarget): LineFolder {
    const copy = new LineFolder(target);
    copy.#open = this.#open;
    copy.#isMidLine = this.#isMidLine;
    const run = this.#run;
    copy.#run = run && { ...run, held: [...run.held], folded: run.folded && { ...run.folded } };
    copy.#traceback = this.#traceback;
    copy.#hasFolded = this.#hasFolded;
    return copy;
  }

  #breakLine(): void {
    this.#endRun();
    this.#ready += this.#open;
    this.#open = "";
    this.#isMidLine = true;
  }

  #endLine(line: string): void {
    if (this.#isMidLine || line.length > longestLine || this.#isInTraceback(line)) {
      this.#endRun();
      this.#ready += line;
      this.#isMidLine = false;
    } else if (this.#run !== null && areAlike(this.#run.first, line)) {
      this.#continueRun(this.#run, line);
    } else {
      this.#endRun();
      this.#run = { first: line, lines: 1, held: [], folded: null };
      this.#ready += line;
    }
  }

  #continueRun(run: Run, line: string): void {
    run.lines++;
    if (run.lines <= shownLines) this.#ready += line;
    else run.held.push(line);
    if (run.held.length > shortestRun - shownLines) this.#fold(run);
  }

  #fold(run: Run): void {
    const left = run.held.splice(0, run.held.length - shownLines);
    run.folded ??= { sample: left[0] ?? "", lines: 0, bytes: 0, length: 0 };
    const text = left.join("");
    run.folded.lines += left.length;
    run.folded.bytes += Buffer.byteLength(text);
    run.folded.length += text.length;
    this.#hasFolded = true;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = null;
    if (run === null) return;
    if (run.folded !== null) {
      if (run.held.length > shownLines) this.#fold(run);
      this.#passOn();
      const { sample, ...size } = run.folded;
      this.#target.fold({ notice: `${foldNotice(size.lines, sample)}\n`, ...size });
    }
    this.#ready += run.held.join("");
  }

  /** From `Traceback (most recent call last):` to the first line that is not indented more: the exception. */
  #isInTraceback(line: string): boolean {
    if (this.#traceback === null) {
      if (!line.includes("Traceback (most recent call last)")) return false;
      this.#traceback = indentationOf(line);
      return true;
    }
    if (indentationOf(line) <= this.#traceback) this.#traceback = null;
    return true;
  }

  #passOn(): void {
    const text = this.#ready;
    this.#ready = "";
    if (text !== "") this.#target.text(text);
  }
}

/** Exception groups are drawn with `|` and `+`. */
function indentationOf(line: string): number {
  return line.search(/[^\s|+-]|$/);
}

function foldNotice(lines: number, sample: string): string {
  const line = sample.trim();
  const count = lines.toLocaleString("en-US");
  if (line === "") return `… ${count} empty lines …`;
  const clipped =
    line.length <= longestSample ? line : `${line.slice(0, longestSample).replace(/[\ud800-\udbff]$/, "")}…`;
  return `… ${count} lines like "${clipped}" …`;
}
