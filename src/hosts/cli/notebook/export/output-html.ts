import { storedEvent } from "../../../../execute/notebook/stored-event.ts";
import type { MimeBundle } from "../../../../kernel/events.ts";
import { joined } from "../../../../notebook/cell.ts";
import { asOutput, isText } from "../../../../notebook/output.ts";
import { escapeHtml, safeHtml } from "../../../../output/html/safe-html.ts";
import { sanitize } from "../../../../output/text/sanitize.ts";
import { isTooDeep, jsonText } from "../../../../support/json/deep-json.ts";
import type { JsonObject } from "../../../../support/json/value.ts";

/** A stored output as HTML that can do nothing. */
export function outputHtml(stored: JsonObject): string {
  const output = asOutput(stored);
  if (output === null) return note("an output of an unknown kind");
  const event = storedEvent(output);
  switch (event.type) {
    case "stream":
      return preformatted(event.name, event.text);
    case "error":
      return preformatted("error", event.traceback.join("\n"));
    case "display":
      return dataHtml(event.data);
  }
}

/** The richest form that needs no script. */
function dataHtml(data: MimeBundle): string {
  const textOf = (mime: string): string => joined(data[mime]);
  for (const mime of ["image/png", "image/jpeg", "image/gif", "image/webp"]) {
    if (textOf(mime) !== "") return picture(mime, textOf(mime).replace(/[^\w+/=]/g, ""), textOf("text/plain"));
  }
  // As a picture, because a picture runs no scripts.
  const svg = textOf("image/svg+xml");
  if (svg !== "") return picture("image/svg+xml", Buffer.from(svg).toString("base64"), textOf("text/plain"));
  const html = safeHtml(textOf("text/html")).trim();
  if (html !== "") return `<div class="html">${html}</div>`;
  for (const mime of ["text/markdown", "text/latex", "text/plain"]) {
    if (textOf(mime) !== "") return preformatted("result", textOf(mime));
  }
  const [mime, value] = Object.entries(data)[0] ?? [];
  if (mime === undefined || value === undefined) return "";
  return isText(value)
    ? note(mime)
    : preformatted("result", isTooDeep(value) ? jsonText(value) : JSON.stringify(value, null, 2));
}

function picture(mime: string, base64: string, alt: string): string {
  return `<img alt="${escapeHtml(alt)}" src="data:${mime};base64,${base64}">`;
}

function preformatted(kind: string, text: string): string {
  return `<pre class="${kind}">${escapeHtml(sanitize(text))}</pre>`;
}

function note(what: string): string {
  return `<p class="note">[${escapeHtml(what)}, which is not shown here]</p>`;
}
