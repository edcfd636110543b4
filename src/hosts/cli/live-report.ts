import type { Writable } from "node:stream";
import type { KernelEvent, MimeBundle, StreamName } from "../../kernel/events.ts";
import type { ExecutionResult } from "../../session/execution.ts";
import type { Settings } from "../../settings/settings.ts";
import { onOwnLines } from "./own-lines.ts";
import type { Report } from "./report.ts";
import type { Surroundings } from "./surroundings.ts";
import type { TerminalPainter } from "./terminal-painter.ts";
import { TerminalText } from "./terminal-text.ts";
import { write } from "./write.ts";

/**
 * Shows output the moment it comes, each stream where it belongs. Keeps nothing. A program gets the streams as they are;
 * a terminal gets what is safe for it, with pictures, colours and what helpers did.
 */
export class LiveReport implements Report {
  readonly #surroundings: Surroundings;
  readonly #places: Readonly<Record<StreamName, Place>>;
  #pictures: Settings["console"]["pictures"] = "auto";
  #painter: Promise<TerminalPainter> | null = null;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    const terminal = new TerminalText();
    const safely = (name: StreamName) => (text: string) => terminal.take(name, text);
    const asItIs = (text: string) => text;
    // On a terminal both streams write on the same line; elsewhere each has its own.
    const sameLine = surroundings.isTerminal("stdout") && surroundings.isTerminal("stderr");
    const line = { isOpen: false };
    const place = (name: StreamName, itsLine: OpenLine): Place =>
      new Place(surroundings[name], itsLine, surroundings.isTerminal(name) ? safely(name) : asItIs);
    this.#places = { stdout: place("stdout", line), stderr: place("stderr", sameLine ? line : { isOpen: false }) };
  }

  runBegins({ console }: Settings): void {
    this.#pictures = console.pictures;
  }

  async take(event: KernelEvent, text = ""): Promise<void> {
    switch (event.type) {
      case "stream":
        return this.#places[event.name].print(event.text);
      case "display":
      case "result":
        return text === "" ? undefined : this.#display(event.data, text);
      case "error":
        return this.#error(text);
    }
  }

  background(text: string, name: StreamName): void {
    void this.#places[name].print(text);
  }

  note(sentence: string): Promise<void> {
    return this.#places.stderr.printLines(sentence);
  }

  cellBegins(): void {}

  async cellEnds({ displays, truncation }: ExecutionResult): Promise<void> {
    const hasMore = truncation !== null || displays.some(({ parts }) => parts.some(({ type }) => type === "status"));
    if (!hasMore || !this.#surroundings.isTerminal("stdout")) return;
    const painter = await this.#loadPainter();
    await this.#places.stdout.draw(painter.cellEnd({ displays, truncation }));
  }

  async runEnds(): Promise<void> {}

  async #display(data: MimeBundle, text: string): Promise<void> {
    const place = this.#places.stdout;
    const isPaintable = paintable.some((type) => data[type] !== undefined);
    const painter = isPaintable && this.#surroundings.isTerminal("stdout") ? await this.#loadPainter() : null;
    const painted = (await painter?.display(data, text)) ?? null;
    return painted === null ? place.printLines(text) : place.draw(painted);
  }

  async #error(text: string): Promise<void> {
    const place = this.#places.stderr;
    if (!this.#surroundings.isTerminal("stderr")) return place.printLines(text);
    return place.draw((await this.#loadPainter()).traceback(text));
  }

  /** When there is something to paint, and not before. */
  #loadPainter(): Promise<TerminalPainter> {
    this.#painter ??= import("./terminal-painter.ts").then(
      ({ TerminalPainter }) => new TerminalPainter(this.#surroundings, this.#pictures),
    );
    return this.#painter;
  }
}

/** What a terminal can show better than as plain text. */
const paintable = ["image/png", "image/jpeg", "application/json", "text/markdown"];

/** Whether what was written last still lacks its end of line. */
interface OpenLine {
  isOpen: boolean;
}

/** A stream with its last line. */
class Place {
  readonly #stream: Writable;
  readonly #line: OpenLine;
  readonly #safely: (text: string) => string;

  constructor(stream: Writable, line: OpenLine, safely: (text: string) => string) {
    this.#stream = stream;
    this.#line = line;
    this.#safely = safely;
  }

  /** What came from code. */
  print(text: string): Promise<void> {
    return this.#write(this.#safely(text));
  }

  printLines(text: string): Promise<void> {
    return this.print(onOwnLines(text, { afterOpenLine: this.#line.isOpen }));
  }

  /** Lines that were made for a terminal. */
  draw(lines: readonly string[]): Promise<void> {
    return this.#write(onOwnLines(lines.join("\n"), { afterOpenLine: this.#line.isOpen }));
  }

  async #write(text: string): Promise<void> {
    if (text === "") return;
    this.#line.isOpen = !text.endsWith("\n");
    await write(this.#stream, text);
  }
}
