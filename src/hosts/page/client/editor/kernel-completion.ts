import type { Completion, CompletionContext, CompletionSource } from "@codemirror/autocomplete";
import type { EditorServices } from "./code-editor.ts";

/** Completion by the kernel, which knows the variables. */
export function fromKernel(services: () => EditorServices): CompletionSource {
  return async (context: CompletionContext) => {
    const { complete } = services();
    const isAsked = context.explicit || context.matchBefore(/[\w.]$/) !== null;
    if (complete === undefined || !isAsked) return null;
    const stop = new AbortController();
    context.addEventListener("abort", () => stop.abort(), { onDocChange: true });
    try {
      const { matches, start, end, details } = await complete(context.state.doc.toString(), context.pos, stop.signal);
      if (context.aborted || matches.length === 0) return null;
      const options = matches.map((label, index): Completion => {
        const { kind = "", signature = "" } = details?.[index] ?? {};
        const shown = signature.length > 60 ? `${signature.slice(0, 60)}…` : signature || kind;
        return { label, ...(shown === "" ? {} : { detail: shown }) };
      });
      return { from: start, to: end, options, validFor: /^\w*$/, filter: true };
    } catch {
      return null;
    }
  };
}
