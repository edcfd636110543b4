import { setImmediate } from "node:timers/promises";
import { ScreenLines } from "../terminal/screen-lines.ts";
import { VtParser } from "../terminal/vt-parser.ts";

/** A whole text in its final state on a terminal, as plain text. */
export function sanitize(text: string): string {
  const screen = new WholeScreen();
  screen.write(text);
  return screen.end();
}

const turnAfter = 32 * 1024;

/** The same for text of any length: yields to timers and signals. */
export async function sanitizeInTurns(text: string): Promise<string> {
  const screen = new WholeScreen();
  for (let at = 0; at < text.length; at += turnAfter) {
    if (at > 0) await setImmediate();
    screen.write(text.slice(at, at + turnAfter));
  }
  return screen.end();
}

class WholeScreen {
  #shown = "";
  readonly #parser = new VtParser();
  readonly #screen = new ScreenLines((final) => {
    this.#shown += final;
  });

  write(text: string): void {
    this.#parser.feed(text, this.#screen);
  }

  end(): string {
    this.#parser.end(this.#screen);
    this.#screen.finish();
    return this.#shown;
  }
}

/** The same text, with an end to its last line. */
export function wholeLines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
