import { LineScanner } from "./line-scanner.ts";
import type { Token, Tokenizer } from "./token.ts";

/** Markdown as source; `markdown.ts` renders it. */
export class MarkdownSourceTokenizer implements Tokenizer {
  #fence: string | null = null;

  line(text: string): readonly Token[] {
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(text)?.[1] ?? null;
    if (this.#fence !== null) {
      if (fence?.startsWith(this.#fence)) this.#fence = null;
      return [{ kind: "code", text }];
    }
    this.#fence = fence;
    if (fence !== null) return [{ kind: "code", text }];
    if (/^\s{0,3}#{1,6}(?:\s|$)/.test(text)) return [{ kind: "heading", text }];
    if (/^\s{0,3}>/.test(text)) return [{ kind: "comment", text }];
    return inline(text);
  }
}

function inline(text: string): readonly Token[] {
  const scanner = new LineScanner(text);
  const bullet = scanner.match(/\s*(?:[-*+]|\d{1,9}[.)])(?=\s)/y);
  if (bullet !== null) scanner.take(bullet[0].length, "accent");
  while (!scanner.isAtEnd) {
    const code = scanner.match(/`[^`]+`/y);
    const strong = scanner.match(/\*\*[^*\s][^*]*\*\*/y);
    if (code !== null) scanner.take(code[0].length, "code");
    else if (strong !== null) scanner.take(strong[0].length, "strong");
    else scanner.take(scanner.match(/[^`*]+/y)?.[0].length ?? 1, null);
  }
  return scanner.tokens;
}
