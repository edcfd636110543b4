import type { KernelEvent, MimeBundle, StreamName } from "../../../kernel/events.ts";
import type { CapturedDisplay } from "../../../output/capture.ts";
import type { StatusEvent } from "../../../output/display/display-part.ts";
import type { ShownDisplay } from "../../../output/output-part.ts";
import { exitStatusOf, exitText } from "../../../session/cell/exit-status.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import type { Settings } from "../../../settings/settings.ts";
import type { CommandContext } from "../command/command-context.ts";
import { pictureTypes } from "../terminal/place-pictures.ts";
import type { Report } from "./report.ts";
import { newStreamEnd, ReportStream, type StreamEnd, TerminalText } from "./report-stream.ts";
import type { TerminalPainter } from "./terminal-painter.ts";

/**
 * Shows output the moment it comes, each stream where it belongs, and keeps nothing of it. A program gets the streams as
 * they are; a terminal gets what is safe for it, with pictures, colours and what helpers do.
 */
export class LiveReport implements Report {
  readonly #context: CommandContext;
  readonly #places: Readonly<Record<StreamName, ReportStream>>;
  readonly #events = new OngoingEvents();
  #pictures: Settings["console"]["pictures"] = "auto";
  #painter: Promise<TerminalPainter> | null = null;

  constructor(context: CommandContext) {
    this.#context = context;
    const terminal = new TerminalText();
    const safely = (name: StreamName) => (text: string) => terminal.take(name, text);
    const asItIs = (text: string) => text;
    const place = (name: StreamName, end: StreamEnd): ReportStream =>
      new ReportStream(context[name], end, context.isTerminal(name) ? safely(name) : asItIs);
    // On a terminal both streams write on the same line; elsewhere each has its own.
    const isSame = context.isTerminal("stdout") && context.isTerminal("stderr");
    const end = newStreamEnd();
    this.#places = { stdout: place("stdout", end), stderr: place("stderr", isSame ? end : newStreamEnd()) };
  }

  runBegins({ console }: Settings): void {
    this.#pictures = console.pictures;
  }

  async take(event: KernelEvent, text = "", shown?: ShownDisplay): Promise<void> {
    switch (event.type) {
      case "stream":
        return this.#places[event.name].print(event.text);
      case "display":
      case "result":
        if (shown === undefined) return;
        return text === "" ? this.#status(shown.display) : this.#display(event.data, shown);
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
    if (!this.#context.isTerminal("stdout")) return;
    if (truncation === null && this.#events.all.length === 0) return;
    const painter = await this.#loadPainter();
    this.#events.clear();
    await this.#places.stdout.clearFoot();
    await this.#places.stdout.draw(painter.cellEnd({ displays, truncation }));
  }

  async runEnds(): Promise<void> {}

  async #display(data: MimeBundle, { display, begins }: ShownDisplay): Promise<void> {
    const place = this.#places.stdout;
    // What a terminal can show better than as plain text.
    const isColoured = String(data["text/plain"] ?? "").includes("\u001b[");
    const isPaintable = isColoured || begins !== undefined || pictureTypes.some((type) => data[type] !== undefined);
    const painter = isPaintable && this.#context.isTerminal("stdout") ? await this.#loadPainter() : null;
    const painted = (await painter?.display(data, { ...display, begins })) ?? null;
    return painted === null ? place.printLines(display.text) : place.draw(painted);
  }

  /** What helpers do is seen while they do it. */
  async #status(display: CapturedDisplay): Promise<void> {
    if (!this.#context.isTerminal("stdout") || !this.#events.take(display)) return;
    const cannotBeTakenBack = this.#context.env.TERM === "dumb";
    if (cannotBeTakenBack) return;
    const painter = await this.#loadPainter();
    await this.#places.stdout.drawFoot(painter.events(this.#events.all));
  }

  async #error(text: string): Promise<void> {
    const place = this.#places.stderr;
    if (text === "") return;
    if (!this.#context.isTerminal("stderr")) return place.printLines(text);
    return place.draw((await this.#loadPainter()).traceback(text));
  }

  /** When there is something to paint, and not before. */
  #loadPainter(): Promise<TerminalPainter> {
    this.#painter ??= import("./terminal-painter.ts").then(
      ({ TerminalPainter }) => new TerminalPainter(this.#context, this.#pictures),
    );
    return this.#painter;
  }
}

/** As many as a result has; more of them nobody could see. */
const mostKept = 1000;

/** What helpers have reported while a cell runs; a report that is updated, such as progress, is there once. */
class OngoingEvents {
  #events = new Map<string | symbol, StatusEvent>();

  get all(): readonly StatusEvent[] {
    return [...this.#events.values()];
  }

  /** False when the display reports nothing. */
  take({ displayId, parts }: CapturedDisplay): boolean {
    const reported = parts.find((part) => part.type === "status");
    if (reported === undefined) return false;
    this.#events.set(displayId ?? Symbol(), reported.event);
    const [oldest] = this.#events.keys();
    if (this.#events.size > mostKept && oldest !== undefined) this.#events.delete(oldest);
    return true;
  }

  clear(): void {
    this.#events.clear();
  }
}
