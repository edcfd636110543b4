import { memo } from "preact/compat";
import { useState } from "preact/hooks";
import { PythonTokenizer } from "../../../../view/highlight/python.ts";
import { html } from "../html.ts";

/** Longer lines are not written by hand. */
const longestLine = 2000;
/** Of longer code, the beginning is shown at first. */
const mostLines = 500;
const firstLines = 100;

/** Python code with highlighting. */
export const Code = memo(({ code }: { readonly code: string }) => {
  const [isWhole, setWhole] = useState(false);
  const lines = code.trimEnd().split("\n");
  const isLong = lines.length > mostLines;
  const showAll = (event: Event): void => {
    // In a notebook, a click on the code begins an edit.
    event.stopPropagation();
    setWhole(true);
  };
  // Without highlighting: every word of it would be an element.
  if (isLong && isWhole) return html`<pre class="code" tabindex="0" aria-label="Code"><code>${code}</code></pre>`;
  return html`
    <pre class="code" tabindex="0" aria-label="Code"><code>${highlighted(isLong ? lines.slice(0, firstLines) : lines)}</code></pre>
    ${isLong && html`<p class="whole"><button class="quiet" onClick=${showAll}>Show all ${lines.length.toLocaleString("en")} lines</button></p>`}`;
});

function highlighted(lines: readonly string[]) {
  const tokenizer = new PythonTokenizer();
  return lines.map((line) =>
    line.length > longestLine
      ? `${line}\n`
      : [
          ...tokenizer
            .line(line)
            .map(({ text, kind }) => (kind ? html`<span class=${`hl-${kind}`}>${text}</span>` : text)),
          "\n",
        ],
  );
}
