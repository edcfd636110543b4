import { sayBytes } from "../../../../output/text/say-size.ts";
import type { BundleOutput, PageOutput } from "../../api/cells.ts";
import { noText } from "../../api/long-text.ts";
import { html } from "../html.ts";
import { ErrorView } from "./error-output.ts";
import { formText, Picture, pictureType } from "./picture.ts";
import { TextView } from "./text-output.ts";

/** One output of a cell. Each kind has a file beside this one. */
export function Output({ output }: { readonly output: PageOutput }) {
  switch (output.kind) {
    case "text":
      return html`<div class=${`output text ${output.stream}`}><${TextView} output=${output} /></div>`;
    case "error":
      return html`<div class="output"><${ErrorView} output=${output} /></div>`;
    case "display":
      return html`<div class="output display"><${Display} output=${output} /></div>`;
  }
}

/** The best form that the page can show. To show another one, add a line here. */
function Display({ output }: { readonly output: BundleOutput }) {
  if (pictureType(output) !== null) return html`<${Picture} output=${output} />`;
  const text = formText(output.data["text/plain"]);
  if (text !== "") return html`<${TextView} output=${{ ...noText("stdout"), text }} />`;
  const sizes = Object.entries(output.tooLarge).map(([type, bytes]) => `${type} (${sayBytes(bytes)})`);
  const forms = [...Object.keys(output.data), ...sizes].join(", ");
  return html`<p class="omitted">${forms === "" ? "An empty display." : `The page cannot show ${forms}.`}</p>`;
}
