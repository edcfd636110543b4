import type { StreamName } from "../kernel/events.ts";
import type { OpenArtifact } from "./artifact.ts";
import { CapturedText, type SinkDump, textOf } from "./captured-text.ts";
import { type Later, LiveFeed, type LiveListener } from "./live-feed.ts";
import { ScreenLines } from "./terminal/screen-lines.ts";
import { backToCursor, TerminalStream } from "./terminal/terminal-stream.ts";
import { type OutputBudget, usualBudget } from "./text/head-tail-buffer.ts";
import { HeldBlocks } from "./text/held-blocks.ts";
import type { ShownPiece, TextMark } from "./text/marked-text.ts";
import { sanitize, wholeLines } from "./text/sanitize.ts";
import { tailWithin } from "./text/utf8-cut.ts";

export interface SinkOptions {
  readonly budget?: Partial<OutputBudget>;
  /** Where all of it goes when it is too much; without this, what is left out is gone. */
  readonly openArtifact?: OpenArtifact | undefined;
  /** Whether listeners get colours, too. The result never has any. */
  readonly colour?: "keep" | "remove";
  /** When listeners are told of what has come: after about 50 ms, unless a test wants it otherwise. */
  readonly later?: Later;
}

export interface BlockOptions {
  /** By which it can be updated. */
  readonly slot?: string | null;
  /** What it is the text of. */
  readonly mark?: TextMark | null;
  /** Whether a line that is open ends here, also where there is no text to put below it. */
  readonly endsLine?: boolean;
}

/**
 * Takes what one execution puts out, shows it live, and makes a text of it that fits a model. Stream text goes
 *
 *     parser → screen → held blocks → captured text → artifact
 *
 * which is: taken apart; rewritten, as long as a cursor can get there; updated, as long as a display's slot is near; final.
 * The memory that takes does not grow with the output.
 */
export class Sink {
  readonly #captured: CapturedText;
  readonly #blocks: HeldBlocks;
  readonly #screen: ScreenLines;
  readonly #live: LiveFeed;
  readonly #streams: Readonly<Record<StreamName, TerminalStream>>;
  /** The last text of slots that were final already when they were updated. */
  readonly #lateUpdates = new Map<string, { readonly lines: string; readonly mark: TextMark | null }>();
  #lineIsOpen = false;
  #clearsBeforeNext = false;
  #dump: Promise<SinkDump> | undefined;

  constructor({ budget, openArtifact, colour = "remove", later }: SinkOptions = {}) {
    this.#captured = new CapturedText({ ...usualBudget, ...budget }, openArtifact);
    this.#blocks = new HeldBlocks((text, mark) => this.#captured.append(text, mark));
    this.#screen = new ScreenLines((text) => this.#addFinal(text));
    this.#live = new LiveFeed(later);
    const to = { screen: this.#screen, live: this.#live, keepsColour: colour === "keep" };
    this.#streams = { stdout: new TerminalStream("stdout", to), stderr: new TerminalStream("stderr", to) };
  }

  /** A promise means: the artifact is slower than this; please wait before the next write. */
  write(text: string, name: StreamName): void | Promise<void> {
    if (text === "" || this.#dump) return;
    this.#clearIfWaiting();
    this.#streams[name].write(text);
    return this.#captured.pressure;
  }

  /** Puts text on lines of its own, below all that came before. One with a slot can be updated. */
  writeBlock(text: string, { slot = null, mark = null, endsLine = false }: BlockOptions = {}): void | Promise<void> {
    if (this.#dump) return;
    this.#clearIfWaiting();
    const lines = wholeLines(sanitize(text));
    if (lines !== "" || slot !== null || endsLine) this.#addBlock(lines, slot, mark);
    else if (mark !== null) this.#blocks.add("", null, mark);
    if (lines === "" && slot === null) return;
    this.#live.push({ type: "block", text: lines, slot });
    return this.#captured.pressure;
  }

  /**
   * Replaces the text of a slot. One that is out of reach gets its last text at the end of the output.
   * @param late what that is the text of then
   */
  update(slot: string, text: string, late: () => TextMark | null = () => null): void {
    if (this.#dump) return;
    const lines = wholeLines(sanitize(text));
    this.#screen.settle(); // how far away a slot is must not depend on how the text was chunked
    if (!this.#blocks.update(slot, lines)) this.#lateUpdates.set(slot, { lines, mark: late() });
    this.#live.push({ type: "update", text: lines, slot });
  }

  /** Forgets everything so far, here and in the artifact: at once, or when the next output comes. */
  clear({ wait }: { wait: boolean }): void {
    if (this.#dump) return;
    this.#clearsBeforeNext = wait;
    if (wait) return;
    this.#screen.clear();
    this.#blocks.clear();
    this.#captured.clear();
    this.#lateUpdates.clear();
    this.#lineIsOpen = false;
    this.#live.push({ type: "clear" });
  }

  /** Whoever comes late gets what is visible, then everything as it comes. Returns how to stop listening. */
  listen(listener: LiveListener): () => void {
    return this.#live.listen(listener, this.visible, backToCursor(this.#screen));
  }

  /** What the result would show if the output ended here. */
  get visible(): string {
    return textOf(this.pieces);
  }

  /** The same with what stands in it; after `dump`, the pieces of that. */
  get pieces(): readonly ShownPiece[] {
    const current = this.#screen.current;
    return this.#captured.pieces([...this.#blocks.pieces, ...(current === "" ? [] : [{ text: current, mark: null }])]);
  }

  /** The last of what is visible, for a glance at work in progress. */
  tail(bytes: number): string {
    const current = this.#blocks.current + this.#screen.current;
    return tailWithin(current.length >= bytes ? current : this.visible, bytes);
  }

  /** Ends the output: nothing is taken any more. */
  dump(): Promise<SinkDump> {
    this.#dump ??= this.#end();
    return this.#dump;
  }

  #end(): Promise<SinkDump> {
    for (const stream of Object.values(this.#streams)) stream.end();
    this.#screen.finish();
    for (const { lines, mark } of this.#lateUpdates.values()) this.#addBlock(lines, null, mark);
    this.#blocks.finish();
    this.#live.flush();
    return this.#captured.end();
  }

  #clearIfWaiting(): void {
    if (this.#clearsBeforeNext) this.clear({ wait: false });
  }

  #addFinal(text: string): void {
    this.#lineIsOpen = !text.endsWith("\n");
    this.#blocks.add(text);
  }

  #addBlock(lines: string, slot: string | null, mark: TextMark | null): void {
    this.#screen.finish();
    if (this.#lineIsOpen) this.#addFinal("\n");
    this.#blocks.add(lines, slot, mark);
  }
}
