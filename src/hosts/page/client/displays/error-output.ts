import type { ErrorOutput, TracebackPart } from "../../api/cells.ts";
import { html } from "../html.ts";

/** A traceback. Runs of library frames are folded. */
export function ErrorView({ output }: { readonly output: ErrorOutput }) {
  const { name, message, traceback } = output;
  return html`
    <div class="error" role="group" aria-label=${`Error: ${name}`}>
      <p class="error-title"><strong>${name}</strong>${message === "" ? "" : `: ${firstLine(message)}`}</p>
      ${traceback.length > 0 && html`<div class="traceback">${grouped(traceback).map(shown)}</div>`}
    </div>`;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : `${text.slice(0, end)} …`;
}

/** The last frame is the place of the error, so it stays, even in a library. */
function grouped(parts: readonly TracebackPart[]): readonly (readonly TracebackPart[])[] {
  const last = parts.findLastIndex(({ kind }) => kind !== null);
  const groups: TracebackPart[][] = [];
  for (const [index, part] of parts.entries()) {
    const before = groups.at(-1);
    const folds = part.kind === "library" && index !== last;
    const joins = folds && before?.at(-1)?.kind === "library";
    if (joins) before?.push(part);
    else groups.push([part]);
  }
  return groups;
}

function shown(group: readonly TracebackPart[], index: number, groups: readonly (readonly TracebackPart[])[]) {
  const [first] = group;
  const text = group.map(({ lines }) => lines.join("\n")).join("\n");
  const isLast = !groups.slice(index + 1).some((later) => later.some(({ kind }) => kind !== null));
  if (first?.kind !== "library" || isLast) return html`<pre class="frame">${text}</pre>`;
  const names = [...new Set(group.map(({ library }) => library ?? "Python"))];
  const frames = group.length === 1 ? "1 frame" : `${group.length} frames`;
  return html`
    <details class="folded">
      <summary>${frames} in ${names.slice(0, 3).join(", ")}${names.length > 3 ? ", …" : ""}</summary>
      <pre class="frame library">${text}</pre>
    </details>`;
}
