import type { StreamName } from "../kernel/events.ts";
import { usualBudget } from "../support/usual-budget.ts";
import type { OpenArtifact } from "./artifact.ts";
import { CapturedText, type SinkDump, textOf } from "./captured-text.ts";
import { type Later, LiveFeed, type LiveListener } from "./live-feed.ts";
import { ScreenLines } from "./terminal/screen-lines.ts";
import { backToCursor, TerminalStream } from "./terminal/terminal-stream.ts";
import type { OutputBudget } from "./text/head-tail-buffer.ts";
import { HeldBlocks } from "./text/held-blocks.ts";
import type { ShownPiece, TextMark } from "./text/marked-text.ts";
import { sanitize, wholeLines } from "./text/sanitize.ts";
import { tailWithin } from "./text/utf8-cut.ts";

export interface SinkOptions {
  readonly budget?: Partial<OutputBudget>;
  /** Opens the artifact for output that is too long; without this, omitted output is lost. */
  readonly openArtifact?: OpenArtifact | undefined;
  /** Whether long runs of printed lines that differ only in their numbers become one line; for models. */
  readonly foldsLines?: boolean | undefined;
  /** Whether listeners get colours. The result never has any. */
  readonly colour?: "keep" | "remove";
  /** Schedules the delivery to listeners: after about 50 ms, unless a test replaces this. */
  readonly later?: Later;
}

export interface BlockOptions {
  /** The id for later updates. */
  readonly slot?: string | null;
  /** The display or error that this text belongs to. */
  readonly mark?: TextMark | null;
  /** A sentence of Granary. */
  readonly isOwn?: true;
  /** The traceback of an exception. */
  readonly isError?: true;
  /** Whether an open line ends here, even if there is no text to write below it. */
  readonly endsLine?: boolean;
}

/**
 * Takes the output of one execution, shows it live, and makes a text that fits a model. Stream text goes
 *
 *     parser → screen → held blocks → captured text → artifact
 *
 * The parser splits it, the screen applies cursor movements, held blocks wait for updates of displays, captured text is final.
 * Memory use does not grow with the output.
 */
export class Sink {
  readonly #captured: CapturedText;
  readonly #blocks: HeldBlocks;
  readonly #screen: ScreenLines;
  readonly #live: LiveFeed;
  readonly #streams: Readonly<Record<StreamName, TerminalStream>>;
  /** The last text of slots that were updated after their text was final. */
  readonly #lateUpdates = new Map<string, { readonly lines: string; readonly mark: TextMark | null }>();
  #lineIsOpen = false;
  #clearsBeforeNext = false;
  #dump: Promise<SinkDump> | undefined;

  constructor({ budget, openArtifact, foldsLines = false, colour = "remove", later }: SinkOptions = {}) {
    this.#captured = new CapturedText({ budget: { ...usualBudget, ...budget }, openArtifact, foldsLines });
    this.#blocks = new HeldBlocks((text, mark) => this.#captured.append(text, mark));
    this.#screen = new ScreenLines((text) => this.#addFinal(text));
    this.#live = new LiveFeed(later);
    const to = { screen: this.#screen, live: this.#live, keepsColour: colour === "keep" };
    this.#streams = { stdout: new TerminalStream("stdout", to), stderr: new TerminalStream("stderr", to) };
  }

  /** Returns a promise if the artifact is too slow: await it before the next write. */
  write(text: string, name: StreamName): void | Promise<void> {
    if (text === "" || this.#dump) return;
    this.#clearIfWaiting();
    this.#streams[name].write(text);
    return this.#captured.pressure;
  }

  /** Adds text on its own lines, below all earlier text. Text with a slot can be updated. */
  writeBlock(
    text: string,
    { slot = null, mark = null, endsLine = false, isOwn, isError }: BlockOptions = {},
  ): void | Promise<void> {
    if (this.#dump) return;
    this.#clearIfWaiting();
    const lines = wholeLines(sanitize(text));
    if (lines !== "" || slot !== null || endsLine) this.#addBlock(lines, slot, mark);
    else if (mark !== null) this.#blocks.add("", null, mark);
    if (lines === "" && slot === null) return;
    this.#live.push({ type: "block", text: lines, slot, ...(isOwn && { isOwn }), ...(isError && { isError }) });
    return this.#captured.pressure;
  }

  /**
   * Replaces the text of a slot. If the slot is final, its last text goes to the end of the output.
   * @param late the display or error that the text at the end belongs to
   */
  update(slot: string, text: string, late: () => TextMark | null = () => null): void {
    if (this.#dump) return;
    const lines = wholeLines(sanitize(text));
    this.#screen.settle(); // the distance of a slot must not depend on chunks
    if (!this.#blocks.update(slot, lines)) this.#lateUpdates.set(slot, { lines, mark: late() });
    this.#live.push({ type: "update", text: lines, slot });
  }

  /** Drops all output so far, here and in the artifact: at once, or with the next output. */
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

  /** A late listener gets the visible text, then all later events. Returns a function that removes the listener. */
  listen(listener: LiveListener): () => void {
    return this.#live.listen(listener, this.visible, backToCursor(this.#screen));
  }

  /** The result's text if the output ended here. */
  get visible(): string {
    return textOf(this.pieces);
  }

  /** The same, with displays and errors in place; after `dump`, the pieces of the final text. */
  get pieces(): readonly ShownPiece[] {
    const current = this.#screen.current;
    return this.#captured.pieces([...this.#blocks.pieces, ...(current === "" ? [] : [{ text: current, mark: null }])]);
  }

  /** The last visible text, for a preview of running work. */
  tail(bytes: number): string {
    const current = this.#blocks.current + this.#screen.current;
    return tailWithin(current.length >= bytes ? current : this.visible, bytes);
  }

  /** Ends the output: later writes are ignored. */
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
