import type { Token, Tokenizer } from "./token.ts";

/** A unified diff. */
export const diffTokenizer: Tokenizer = {
  line(text: string): readonly Token[] {
    if (/^(?:\+\+\+|---) /.test(text)) return [{ kind: "muted", text }];
    if (text.startsWith("@@")) return [{ kind: "accent", text }];
    if (text.startsWith("+")) return [{ kind: "added", text }];
    return [{ kind: text.startsWith("-") ? "removed" : null, text }];
  },
};
