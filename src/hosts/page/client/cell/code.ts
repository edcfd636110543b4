import { memo } from "preact/compat";
import { PythonTokenizer } from "../../../../view/highlight/python.ts";
import { html } from "../html.ts";

/** Longer lines are not written by hand. */
const longestLine = 2000;

/** Python code with highlighting. */
export const Code = memo(({ code }: { readonly code: string }) => {
  const tokenizer = new PythonTokenizer();
  const lines = code.trimEnd().split("\n");
  return html`<pre class="code" tabindex="0" aria-label="Code"><code>${lines.map((line) =>
    line.length > longestLine
      ? `${line}\n`
      : [
          ...tokenizer
            .line(line)
            .map(({ text, kind }) => (kind ? html`<span class=${`hl-${kind}`}>${text}</span>` : text)),
          "\n",
        ],
  )}</code></pre>`;
});
