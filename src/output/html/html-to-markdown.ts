import { setImmediate as turn } from "node:timers/promises";
import { HtmlReader } from "./html-reader.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import type { TableLimits } from "./table-grid.ts";

export interface HtmlLimits extends TableLimits {
  /** Of text. */
  readonly characters: number;
  /** Tags and pieces of text, so that HTML without text also ends. */
  readonly tokens: number;
}

export const htmlLimits: HtmlLimits = {
  rows: 60,
  columns: 24,
  cellCharacters: 200,
  characters: 100_000,
  tokens: 500_000,
};

export interface HtmlAsMarkdown {
  readonly markdown: string;
  /** False if the Markdown omits content, not only looks: rows, scripts, drawings, the rest. */
  readonly complete: boolean;
  /** Unread characters of HTML. */
  readonly unread: number;
}

/** Converts as much of the HTML as the limits allow, and reads no further. Never throws. */
export function htmlToMarkdown(html: string, limits: HtmlLimits = htmlLimits): HtmlAsMarkdown {
  const steps = conversion(html, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, but yields now and then: there may be megabytes of HTML. */
export async function htmlToMarkdownInTurns(html: string, limits: HtmlLimits = htmlLimits): Promise<HtmlAsMarkdown> {
  const steps = conversion(html, limits);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
  }
}

/** So many tokens take a few milliseconds. */
const tokensPerStep = 4000;

function* conversion(html: string, limits: HtmlLimits): Generator<void, HtmlAsMarkdown> {
  const reader = new HtmlReader(html);
  const writer = new MarkdownWriter(reader, limits);
  for (let tokens = 0; tokens < limits.tokens && writer.characters < limits.characters; tokens++) {
    const token = reader.next();
    if (token === null) break;
    writer.take(token);
    if (tokens % tokensPerStep === tokensPerStep - 1) yield;
  }
  const { markdown, complete } = writer.finish();
  return { markdown, complete: complete && reader.unread === 0, unread: reader.unread };
}
