import { escapeLineStart } from "./escape-markdown.ts";

/** Running text whose white space collapses, also between two additions. */
export class InlineText {
  #text = "";
  #endsInSpace = false;

  /** Markdown, with white space already collapsed within itself. */
  add(markdown: string): void {
    const added = this.#endsInSpace && markdown.startsWith(" ") ? markdown.slice(1) : markdown;
    if (added === "") return;
    this.#text += added;
    this.#endsInSpace = added.endsWith(" ") || added.endsWith("\n");
  }

  breakLine(): void {
    this.#text = `${this.#text.trimEnd()}\n`;
    this.#endsInSpace = true;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    this.#endsInSpace = false;
    return text;
  }
}

/** The distance of two blocks in line ends: 1 for the next line, 2 for an empty line between them. */
export type BlockGap = 1 | 2;

/** Paragraphs and other blocks in order. */
export class MarkdownFlow {
  readonly inline = new InlineText();
  readonly #blocks: string[] = [];
  readonly #escape: (line: string) => string;
  #gap: BlockGap | 0 = 0;

  /** The start of a line has no meaning in a table's cell, so nothing needs escaping there. */
  constructor({ inCell = false } = {}) {
    this.#escape = inCell ? (line) => line : escapeLineStart;
  }

  /** Ends the paragraph, if there is one. */
  endParagraph(gap: BlockGap): void {
    const lines = this.inline.take().trim().split("\n");
    this.#add(lines.map((line) => this.#escape(line.trim())).join("\n"));
    this.#parted(gap);
  }

  /** Adds Markdown on its own lines. */
  block(markdown: string, gap: BlockGap): void {
    this.endParagraph(gap);
    this.#add(markdown);
    this.#parted(gap);
  }

  finish(): string {
    this.endParagraph(2);
    return this.#blocks.join("");
  }

  #add(markdown: string): void {
    if (markdown.trim() === "") return;
    this.#blocks.push("\n".repeat(this.#gap), markdown);
    this.#gap = 0;
  }

  /** The first block needs no separation. */
  #parted(gap: BlockGap): void {
    if (this.#blocks.length > 0) this.#gap = this.#gap > gap ? this.#gap : gap;
  }
}

/** Adds the prefix to every line but the first; to empty lines, without trailing spaces. */
export function indentedLines(text: string, first: string, others: string): string {
  const [line = "", ...rest] = text.split("\n");
  return [first + line, ...rest.map((each) => (each === "" ? others.trimEnd() : others + each))].join("\n");
}
