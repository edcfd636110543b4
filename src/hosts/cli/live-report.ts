import type { Writable } from "node:stream";
import type { KernelEvent, StreamName } from "../../kernel/events.ts";
import { onOwnLines } from "./own-lines.ts";
import type { Report } from "./report.ts";
import type { Surroundings } from "./surroundings.ts";
import { TerminalText } from "./terminal-text.ts";
import { write } from "./write.ts";

/**
 * Shows output the moment it comes, each stream where it belongs. Keeps nothing. A program gets the streams as they are;
 * a terminal gets what is safe for it.
 */
export class LiveReport implements Report {
  readonly #safely: (name: StreamName, text: string) => string;
  readonly #places: Readonly<Record<StreamName, Place>>;

  constructor(surroundings: Surroundings) {
    const terminal = new TerminalText();
    this.#safely = (name, text) => (surroundings.isTerminal(name) ? terminal.take(name, text) : text);
    // On a terminal both streams write on the same line; elsewhere each has its own.
    const sameLine = surroundings.isTerminal("stdout") && surroundings.isTerminal("stderr");
    const line = { isOpen: false };
    this.#places = {
      stdout: new Place(surroundings.stdout, line),
      stderr: new Place(surroundings.stderr, sameLine ? line : { isOpen: false }),
    };
  }

  async take(event: KernelEvent, text = ""): Promise<void> {
    switch (event.type) {
      case "stream":
        return this.#places[event.name].write(this.#safely(event.name, event.text));
      case "display":
      case "result":
        return text === "" ? undefined : this.#places.stdout.writeLines(text);
      case "error":
        return this.#places.stderr.writeLines(text);
    }
  }

  background(text: string, name: StreamName): void {
    void this.#places[name].write(this.#safely(name, text));
  }

  note(sentence: string): Promise<void> {
    return this.#places.stderr.writeLines(sentence);
  }

  cellBegins(): void {}

  cellEnds(): void {}

  async runEnds(): Promise<void> {}
}

/** A stream, and whether what was written there last still lacks its end of line. */
class Place {
  readonly #stream: Writable;
  readonly #line: { isOpen: boolean };

  constructor(stream: Writable, line: { isOpen: boolean }) {
    this.#stream = stream;
    this.#line = line;
  }

  async write(text: string): Promise<void> {
    if (text === "") return;
    this.#line.isOpen = !text.endsWith("\n");
    await write(this.#stream, text);
  }

  writeLines(text: string): Promise<void> {
    return this.write(onOwnLines(text, { afterOpenLine: this.#line.isOpen }));
  }
}
