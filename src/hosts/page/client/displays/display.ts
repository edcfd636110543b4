import { useMemo, useState } from "preact/hooks";
import { sayBytes } from "../../../../output/text/say-size.ts";
import type { BundleOutput } from "../../api/cells.ts";
import { noText } from "../../api/long-text.ts";
import { html } from "../html.ts";
import { DataTable } from "./data-table.ts";
import { HtmlFrame } from "./html-frame.ts";
import { tableIn } from "./html-table.ts";
import { JsonTreeView } from "./json-view.ts";
import { Markdown } from "./markdown.ts";
import { formText, Picture, pictureType } from "./picture.ts";
import { ProgressView, statusIn } from "./progress.ts";
import { TextView } from "./text-output.ts";

/** The best form that the page can show. To show another one, add a line here. */
export function Display({ output }: { readonly output: BundleOutput }) {
  const { data } = output;
  const status = statusIn(output);
  if (status !== null) return html`<${ProgressView} status=${status} />`;
  if (pictureType(output) !== null) return html`<${Picture} output=${output} />`;
  if (data["text/html"] !== undefined) return html`<${Html} source=${formText(data["text/html"])} />`;
  if (data["text/markdown"] !== undefined) return html`<${Markdown} source=${formText(data["text/markdown"])} />`;
  if (data["text/latex"] !== undefined) return html`<pre class="latex">${formText(data["text/latex"])}</pre>`;
  if (data["application/json"] !== undefined) return html`<${JsonTreeView} value=${data["application/json"]} />`;
  const text = formText(data["text/plain"]);
  if (text !== "") return html`<${TextView} output=${{ ...noText("stdout"), text }} />`;
  const sizes = Object.entries(output.tooLarge).map(([type, bytes]) => `${type} (${sayBytes(bytes)})`);
  const forms = [...Object.keys(data), ...sizes].join(", ");
  return html`<p class="omitted">${forms === "" ? "An empty display." : `The page cannot show ${forms}.`}</p>`;
}

/** The table of a data frame as a table of the page, all other HTML in a frame. */
function Html({ source }: { readonly source: string }) {
  const table = useMemo(() => tableIn(source), [source]);
  const [isWanted, setWanted] = useState(false);
  if (table === null && !isWanted && hasManyElements(source)) {
    return html`<p class="whole"><button onClick=${() => setWanted(true)}>Show this HTML (${sayBytes(source.length)})</button></p>`;
  }
  if (table === null) return html`<${HtmlFrame} content=${source} />`;
  return html`<${DataTable} content=${table} />${table.after !== "" && html`<p class="table-note">${table.after}</p>`}`;
}

/** A frame shares the processor with the page: so many elements would block both for seconds. */
function hasManyElements(source: string): boolean {
  return source.length > 500_000 && source.split("</").length > 20_000;
}
