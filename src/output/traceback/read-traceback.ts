import { sanitize } from "../text/sanitize.ts";
import { type FrameStart, frameStart, isFrameBody } from "./frame-lines.ts";
import { frameKind, type ReportedException, type TracebackFrame } from "./traceback.ts";

/** A traceback's lines in order, grouped by frame. Joined again, they are the whole traceback. */
export type TracebackPiece =
  | {
      readonly type: "frame";
      readonly frame: TracebackFrame;
      readonly start: FrameStart;
      readonly lines: readonly string[];
    }
  | { readonly type: "text"; readonly lines: readonly string[] };

export interface ReadTraceback {
  readonly pieces: readonly TracebackPiece[];
  readonly exceptions: readonly ReportedException[];
}

/**
 * Reads tracebacks of Python and of IPython, with colours. An unknown line stays
 * text, so an unknown format appears unchanged.
 */
export function readTraceback(entries: readonly string[]): ReadTraceback {
  const lines = sanitize(entries.join("\n")).split("\n");
  const pieces: TracebackPiece[] = [];
  const exceptions = new ExceptionList();
  for (let at = 0; at < lines.length; ) {
    const start = frameStart(lines[at] as string);
    let end = at + 1;
    if (start) while (end < lines.length && isFrameBody(lines[end] as string, start)) end++;
    const own = lines.slice(at, end);
    if (start) {
      const frame = frameOf(start, own);
      pieces.push({ type: "frame", frame, start, lines: own });
      exceptions.frame(frame);
    } else {
      pieces.push({ type: "text", lines: own });
      exceptions.line(own[0] ?? "");
    }
    at = end;
  }
  return { pieces, exceptions: exceptions.finish() };
}

function frameOf(start: FrameStart, lines: readonly string[]): TracebackFrame {
  const { file, function: name, margin } = start;
  const arrow = lines.map((line) => /^-+> ?(\d+) ?(.*)$/.exec(line)).find((match) => match !== null);
  const [, first = ""] = lines;
  const source = start.style === "ipython" ? arrow?.[2] : first.slice(margin.length);
  const line = start.line ?? (arrow ? Number(arrow[1]) : null);
  return { file, line, function: name, source: source?.trim() || null, kind: frameKind(file) };
}

const causeLine = "The above exception was the direct cause of the following exception:";
const contextLine = "During handling of the above exception, another exception occurred:";

/** Collects the exceptions from the lines around their frames. */
class ExceptionList {
  readonly #done: ReportedException[] = [];
  #frames: TracebackFrame[] = [];
  #words: string[] = [];
  #link: ReportedException["link"] = null;

  frame(frame: TracebackFrame): void {
    // A frame after the message belongs to the next exception, whose heading was not recognised.
    if (this.#words.length > 0) this.#end(null);
    this.#frames.push(frame);
  }

  line(line: string): void {
    const bare = line.replace(/^ *\| ?/, "");
    if (bare.trim() === causeLine) this.#end("cause");
    else if (bare.trim() === contextLine) this.#end("context");
    else if (/^ *\+-\+?-+ (?:\d+|\.\.\.) -+$/.test(line)) this.#end("member");
    else if (/^ *\+-+$/.test(line)) this.#end(null);
    else if (!isHeading(bare) && (bare.trim() !== "" || this.#words.length > 0)) this.#words.push(bare);
  }

  finish(): readonly ReportedException[] {
    this.#end(null);
    return this.#done;
  }

  #end(nextLink: ReportedException["link"]): void {
    const [first = "", ...more] = this.#words.join("\n").trim().split("\n");
    const [, name = "", message = ""] = /^([\w.]+)(?:: ?(.*))?$/.exec(first) ?? ["", "", first];
    if (first !== "" || this.#frames.length > 0) {
      this.#done.push({ name, message: [message, ...more].join("\n").trim(), link: this.#link, frames: this.#frames });
    }
    this.#frames = [];
    this.#words = [];
    this.#link = nextLink ?? (first === "" ? this.#link : null);
  }
}

/** Headings above the frames, and other lines among them. */
function isHeading(line: string): boolean {
  return /^-{10,}$|Traceback \(most recent call last\):?$|^ +\[(?:\.\.\. skipping|Previous line)/.test(line);
}
