import { html } from "../html.ts";
import { changeType, insertCell, moveCell, type NotebookAtHand, runAll, runShownCell } from "./notebook-actions.ts";
import type { ShownCell } from "./shown-notebook.ts";

/** Buttons of a cell. */
export function CellTools({ cell, open }: { readonly cell: ShownCell; readonly open: NotebookAtHand }) {
  const { type } = cell.facts.value;
  const { notebook, drafts } = open;
  const chooseType = (event: Event): void => {
    void changeType(open, cell, (event.currentTarget as HTMLSelectElement).value as "code");
  };
  return html`
    <span class="cell-tools">
      ${type === "code" && html`<button class="quiet" onClick=${() => runShownCell(open, cell)}>Run</button>`}
      ${type === "code" && html`<button class="quiet" onClick=${() => runAll(open, cell)}>From here</button>`}
      ${type !== "unknown" && html`<button class="quiet" onClick=${() => drafts.begin(cell)}>Edit</button>`}
      ${
        type !== "unknown" &&
        html`
        <select aria-label="Type of the cell" value=${type} onChange=${chooseType}>
          <option value="code">Code</option><option value="markdown">Text</option><option value="raw">Raw</option>
        </select>`
      }
      <button class="quiet" aria-label="Insert a cell below" title="Insert below" onClick=${() => insertCell(open, cell.key)}>+</button>
      <button class="quiet" aria-label="Move the cell up" title="Move up" onClick=${() => moveCell(open, cell, -1)}>↑</button>
      <button class="quiet" aria-label="Move the cell down" title="Move down" onClick=${() => moveCell(open, cell, 1)}>↓</button>
      <button class="quiet" aria-label="Delete the cell" title="Delete" onClick=${() => notebook.remove(cell)}>✕</button>
    </span>`;
}
