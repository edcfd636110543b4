import type { KernelEvent, MimeBundle, StreamName } from "../../../kernel/events.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import type { Settings } from "../../../settings/settings.ts";
import type { Surroundings } from "../command/command-context.ts";
import { exitStatusOf, exitText } from "../command/exit-codes.ts";
import { OngoingEvents } from "./ongoing-events.ts";
import type { Report } from "./report.ts";
import { type End, newEnd, Place } from "./report-end.ts";
import type { TerminalPainter } from "./terminal-painter.ts";
import { TerminalText } from "./terminal-text.ts";

/**
 * Shows output the moment it comes, each stream where it belongs, and keeps nothing of it. A program gets the streams as
 * they are; a terminal gets what is safe for it, with pictures, colours and what helpers do.
 */
export class LiveReport implements Report {
  readonly #surroundings: Surroundings;
  readonly #places: Readonly<Record<StreamName, Place>>;
  readonly #events = new OngoingEvents();
  #pictures: Settings["console"]["pictures"] = "auto";
  #painter: Promise<TerminalPainter> | null = null;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    const terminal = new TerminalText();
    const safely = (name: StreamName) => (text: string) => terminal.take(name, text);
    const asItIs = (text: string) => text;
    const place = (name: StreamName, end: End): Place =>
      new Place(surroundings[name], end, surroundings.isTerminal(name) ? safely(name) : asItIs);
    // On a terminal both streams write on the same line; elsewhere each has its own.
    const isSame = surroundings.isTerminal("stdout") && surroundings.isTerminal("stderr");
    const end = newEnd();
    this.#places = { stdout: place("stdout", end), stderr: place("stderr", isSame ? end : newEnd()) };
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
        return text === "" ? this.#status(event) : this.#display(event.data, text);
      case "error":
        return this.#error(exitStatusOf(event) === null ? text : exitText(event.message));
    }
  }

  background(text: string, name: StreamName): void {
    void this.#places[name].print(text);
  }

  note(sentence: string): Promise<void> {
    return this.#places.stderr.printLines(sentence);
  }

  async personIsAsked(): Promise<void> {
    await this.#places.stdout.clearFoot();
  }

  cellBegins(): void {}

  async cellEnds({ displays, truncation }: ExecutionResult): Promise<void> {
    if (!this.#surroundings.isTerminal("stdout")) return;
    if (truncation === null && this.#events.all.length === 0) return;
    const painter = await this.#loadPainter();
    this.#events.clear();
    await this.#places.stdout.clearFoot();
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

  /** What helpers do is seen while they do it. */
  async #status(event: KernelEvent & { readonly type: "display" | "result" }): Promise<void> {
    if (!this.#surroundings.isTerminal("stdout") || !this.#events.take(event)) return;
    const cannotBeTakenBack = this.#surroundings.env.TERM === "dumb";
    if (cannotBeTakenBack) return;
    const painter = await this.#loadPainter();
    await this.#places.stdout.drawFoot(painter.events(this.#events.all));
  }

  async #error(text: string): Promise<void> {
    const place = this.#places.stderr;
    if (text === "") return;
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
