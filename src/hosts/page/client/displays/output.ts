import { memo } from "preact/compat";
import type { PageOutput } from "../../api/cells.ts";
import { html } from "../html.ts";
import { Display } from "./display.ts";
import { ErrorView } from "./error-output.ts";
import { ScrollBox } from "./scroll-box.ts";
import { TextView } from "./text-output.ts";

/** One output of a cell. Each kind has a file beside this one. */
export const Output = memo(({ output, isLive = false }: { readonly output: PageOutput; readonly isLive?: boolean }) => {
  switch (output.kind) {
    case "text":
      return html`<${ScrollBox} class=${`output text ${output.stream}`} label="Printed text" isLive=${isLive}><${TextView} output=${output} isLive=${isLive} /><//>`;
    case "error":
      return html`<div class="output"><${ErrorView} output=${output} /></div>`;
    case "display":
      return html`<div class="output display"><${Display} output=${output} /></div>`;
  }
});
