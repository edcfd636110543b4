import { useState } from "preact/hooks";
import { sayBytes } from "../../../../output/text/say-size.ts";
import { noText } from "../../api/long-text.ts";
import { request } from "../connection/request.ts";
import { html } from "../html.ts";
import { TextView } from "./text-output.ts";

interface Part {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** About a part of the server. */
const partBytes = 200_000;

/** The whole text of a long output, a part at a time. */
export function WholeOutput({ artifact }: { readonly artifact: string }) {
  const [part, setPart] = useState<Part | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = (from: number): void => {
    request<Part>("GET", `artifacts/${encodeURIComponent(artifact)}?from=${Math.max(0, Math.floor(from))}`).then(
      (next) => {
        setPart(next);
        setProblem(null);
      },
      (error: Error) => setProblem(error.message),
    );
  };
  if (part === null) {
    return html`<p class="whole"><button class="quiet" onClick=${() => load(0)}>Read the whole output</button> ${problem}</p>`;
  }
  const { text, from, to, bytes } = part;
  return html`
    <div class="whole-output">
      <p class="whole" role="status">
        Bytes ${from.toLocaleString("en")} to ${to.toLocaleString("en")} of ${sayBytes(bytes)}
        <button disabled=${from === 0} onClick=${() => load(0)}>First</button>
        <button disabled=${from === 0} onClick=${() => load(from - partBytes)}>Previous</button>
        <button disabled=${to >= bytes} onClick=${() => load(to)}>Next</button>
        <button disabled=${to >= bytes} onClick=${() => load(bytes - partBytes)}>Last</button>
        <button class="quiet" onClick=${() => setPart(null)}>Close</button> ${problem}
      </p>
      <div class="output text" tabindex="0" role="region" aria-label="Whole output"><${TextView} key=${from} output=${{ ...noText("stdout"), text }} /></div>
    </div>`;
}
