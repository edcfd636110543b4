import { Lexer, Marked, type Token } from "marked";

/** For each mark, `marked` looks at all that follow in the paragraph. */
const mostMarks = 3000;

class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if ((source.match(/[*_~`!]/g)?.length ?? 0) <= mostMarks) return super.inlineTokens(source, tokens);
    tokens.push({ type: "text", raw: source, text: source, escaped: false });
    return tokens;
  }
}

const marked = new Marked({
  gfm: true,
  hooks: { provideLexer: () => (source) => new BoundedLexer({ gfm: true }).lex(source) },
});

/**
 * Markdown as HTML, which is as foreign as its source. A paragraph with very many marks of emphasis shows them as they are, and
 * a text that is nested too deeply is shown as it is.
 */
export function markdownToHtml(source: string): string {
  try {
    return marked.parse(source, { async: false });
  } catch (error) {
    // The stack is used up.
    if (!(error instanceof RangeError)) throw error;
    return marked.parser([{ type: "code", raw: source, text: source, escaped: false }]);
  }
}
