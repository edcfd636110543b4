import type { KernelEvent, StreamName } from "../../../kernel/events.ts";
import type { ShownDisplay } from "../../../output/output-part.ts";
import { exitStatusOf, exitText } from "../../../session/cell/exit-status.ts";
import type { CommandContext } from "../command/command-context.ts";
import { write } from "../command/write.ts";
import type { Report } from "./report.ts";

/**
 * Output for programs and files, as `LiveReport` shows it there, with as little code as possible: each stream unchanged, values and
 * errors as text on lines of their own. The caller waits for each promise before the next call.
 */
export class PlainReport implements Report {
  readonly #context: Pick<CommandContext, StreamName>;
  readonly #isOpen = { stdout: false, stderr: false };

  constructor(context: Pick<CommandContext, StreamName>) {
    this.#context = context;
  }

  take(event: KernelEvent, text = "", shown?: ShownDisplay): void | Promise<void> {
    switch (event.type) {
      case "stream":
        return this.#print(event.name, event.text);
      case "display":
      case "result":
        // Without a text it is a status event, for people who watch.
        return shown === undefined || text === "" ? undefined : this.#printLines("stdout", shown.display.text);
      case "error":
        return this.#printLines("stderr", exitStatusOf(event) === null ? text : exitText(event.message));
    }
  }

  background(text: string, name: StreamName): void {
    void this.#print(name, text);
  }

  note(sentence: string): Promise<void> {
    return this.#printLines("stderr", sentence);
  }

  runBegins(): void {}
  cellBegins(): void {}
  cellEnds(): void {}
  async personIsAsked(): Promise<void> {}
  async runEnds(): Promise<void> {}

  async #print(name: StreamName, text: string): Promise<void> {
    if (text === "") return;
    this.#isOpen[name] = !text.endsWith("\n");
    await write(this.#context[name], text);
  }

  async #printLines(name: StreamName, text: string): Promise<void> {
    const shown = isHarmless.test(text) ? text : await visible(text);
    if (shown === "") return;
    const onItsOwnLine = `${this.#isOpen[name] ? "\n" : ""}${shown}${shown.endsWith("\n") ? "" : "\n"}`;
    await this.#print(name, onItsOwnLine);
  }
}

/** Most texts; the others load more code. */
const isHarmless = /^[\t\n\x20-\x7e]*$/;

async function visible(text: string): Promise<string> {
  const { visibleText } = await import("../../../output/text/visible-text.ts");
  return visibleText(text);
}
