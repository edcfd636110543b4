import type { StyleName, Theme } from "../theme/theme.ts";

/** A piece of a line of code; without a kind it is plain text. */
export interface Token {
  readonly kind: StyleName | null;
  readonly text: string;
}

/**
 * Takes the lines of a text in order, and remembers what a line left open: a string, a fence. The texts of a
 * line's tokens add up to the line.
 */
export interface Tokenizer {
  line(text: string): readonly Token[];
}

export function paint(tokens: readonly Token[], theme: Theme): string {
  return tokens.map(({ kind, text }) => (kind === null ? text : theme[kind](text))).join("");
}
