import type { Writable } from "node:stream";
import type { StreamName } from "../../../kernel/events.ts";
import { ScreenLines } from "../../../output/terminal/screen-lines.ts";
import { TerminalStream } from "../../../output/terminal/terminal-stream.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { write } from "../command/write.ts";

/** How what is on the screen ends: whether its last line still lacks its end, and what is to stay below it. */
export interface StreamEnd {
  isOpen: boolean;
  readonly footer: Footer;
}

export const newStreamEnd = (): StreamEnd => ({ isOpen: false, footer: new Footer() });

/** A stream, and what it has written last. */
export class ReportStream {
  readonly #stream: Writable;
  readonly #end: StreamEnd;
  readonly #safely: (text: string) => string;

  constructor(stream: Writable, end: StreamEnd, safely: (text: string) => string) {
    this.#stream = stream;
    this.#end = end;
    this.#safely = safely;
  }

  /** What came from code. */
  print(text: string): Promise<void> {
    return this.#write(this.#safely(text));
  }

  printLines(text: string): Promise<void> {
    return this.print(onOwnLines(visibleText(text), { afterOpenLine: this.#end.isOpen }));
  }

  /** Lines that were made for a terminal. */
  draw(lines: readonly string[]): Promise<void> {
    return this.#write(onOwnLines(lines.join("\n"), { afterOpenLine: this.#end.isOpen }));
  }

  /** Lines that stay below what is written from now on. */
  drawFoot(lines: readonly string[]): Promise<void> {
    this.#end.footer.lines = lines;
    return this.#withFoot("");
  }

  clearFoot(): Promise<void> {
    return this.drawFoot([]);
  }

  async #write(text: string): Promise<void> {
    if (text === "") return;
    this.#end.isOpen = !text.endsWith("\n");
    await this.#withFoot(text);
  }

  /** At once, so that nothing flickers. While a line is open there is no room below it. */
  async #withFoot(text: string): Promise<void> {
    const { isOpen, footer } = this.#end;
    const written = footer.hide() + text + (isOpen ? "" : footer.show());
    if (written !== "") await write(this.#stream, written);
  }
}

/** Text on lines of its own, wherever the text before it has stopped. */
function onOwnLines(text: string, { afterOpenLine }: { readonly afterOpenLine: boolean }): string {
  if (text === "") return "";
  return `${afterOpenLine ? "\n" : ""}${text}${text.endsWith("\n") ? "" : "\n"}`;
}

/**
 * Lines that stay below everything else that is printed on a terminal: they are taken away before something is written,
 * and come back after it. Each of them fits into a row.
 */
class Footer {
  #lines: readonly string[] = [];
  #drawn = 0;

  /** Shown with what is written next. */
  set lines(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** What takes it off the screen; the cursor is then where the footer began. */
  hide(): string {
    const rows = this.#drawn;
    this.#drawn = 0;
    return rows === 0 ? "" : `\u001b[${rows}A\r\u001b[J`;
  }

  /** What puts it there. Has to be called where a line begins. */
  show(): string {
    this.#drawn = this.#lines.length;
    return this.#lines.map((line) => `${line}\n`).join("");
  }
}

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
