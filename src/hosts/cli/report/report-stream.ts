import type { Writable } from "node:stream";
import { visibleText } from "../../../output/text/visible-text.ts";
import { write } from "../command/write.ts";
import { Footer } from "./footer.ts";

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
