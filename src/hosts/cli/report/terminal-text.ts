import type { StreamName } from "../../../kernel/events.ts";
import { ScreenLines } from "../../../output/terminal/screen-lines.ts";
import { TerminalStream } from "../../../output/terminal/terminal-stream.ts";

/**
 * What code prints, made safe for a person's terminal: it may use colours and move within its own lines, and cannot
 * change the window, the clipboard or what others wrote.
 */
export class TerminalText {
  readonly #streams: Readonly<Record<StreamName, TerminalStream>>;
  #told = "";

  constructor() {
    const tell = (_name: StreamName, text: string): void => {
      this.#told += text;
    };
    const to = {
      screen: new ScreenLines(() => {}),
      live: { hasListeners: true, text: tell, move: tell },
      keepsColour: true,
    };
    this.#streams = { stdout: new TerminalStream("stdout", to), stderr: new TerminalStream("stderr", to) };
  }

  /** What the terminal is to be given for that text. */
  take(name: StreamName, text: string): string {
    this.#streams[name].write(text);
    const told = this.#told;
    this.#told = "";
    return told;
  }
}
