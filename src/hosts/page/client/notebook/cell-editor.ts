import { useEffect, useRef } from "preact/hooks";
import { html } from "../html.ts";
import type { NotebookAtHand } from "./notebook-actions.ts";
import type { ShownCell } from "./shown-notebook.ts";

/** The editor of a cell. Its text goes to the file when the reader leaves it. */
export function CellEditor({ cell, open }: { readonly cell: ShownCell; readonly open: NotebookAtHand }) {
  const { drafts } = open;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const text = drafts.textOf(cell);
  return html`
    <div class="cell-editor">
      <textarea ref=${field} aria-label="Source of the cell" spellcheck="false" rows=${Math.min(30, text.split("\n").length + 1)} value=${text}
        onInput=${(event: InputEvent) => drafts.type(cell.key, (event.currentTarget as HTMLTextAreaElement).value)}
        onBlur=${() => void drafts.finish(cell.key)}></textarea>
      <p class="overtaken" role="status">${drafts.isOvertaken(cell) ? "Another program has changed this cell since. When you leave it, both versions are kept." : ""}</p>
    </div>`;
}
