import type { Writable } from "node:stream";
import type { KernelEvent, MimeBundle, StreamName } from "../../kernel/events.ts";
import { onOwnLines } from "./own-lines.ts";
import { present } from "./present.ts";
import type { Report, ReportOptions } from "./report.ts";
import { write } from "./write.ts";

/** Shows output the moment it comes, each stream where it belongs. Keeps nothing. */
export class LiveReport implements Report {
  readonly #pictureFolder: string;
  readonly #places: Readonly<Record<StreamName, Place>>;

  constructor({ surroundings, pictureFolder }: ReportOptions) {
    this.#pictureFolder = pictureFolder;
    // On a terminal both streams write on the same line; elsewhere each has its own.
    const sameLine = surroundings.isTerminal("stdout") && surroundings.isTerminal("stderr");
    const line = { isOpen: false };
    this.#places = {
      stdout: new Place(surroundings.stdout, line),
      stderr: new Place(surroundings.stderr, sameLine ? line : { isOpen: false }),
    };
  }

  async take(event: KernelEvent): Promise<void> {
    switch (event.type) {
      case "stream":
        return this.#places[event.name].write(event.text);
      case "display":
      case "result":
        return this.#show(event.data);
      case "error":
        return this.#places.stderr.writeLines(event.traceback.join("\n"));
    }
  }

  background(text: string, name: StreamName): void {
    void this.#places[name].write(text);
  }

  note(sentence: string): Promise<void> {
    return this.#places.stderr.writeLines(sentence);
  }

  cellBegins(): void {}

  cellEnds(): void {}

  async runEnds(): Promise<void> {}

  async #show(data: MimeBundle): Promise<void> {
    const { text } = await present(data, this.#pictureFolder);
    await this.#places.stdout.writeLines(text);
  }
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
