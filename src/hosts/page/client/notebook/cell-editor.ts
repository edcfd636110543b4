import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { PythonEditor } from "../editor/editor.ts";
import { html } from "../html.ts";
import { type NotebookAtHand, runAndGo } from "./notebook-actions.ts";
import type { ShownCell } from "./shown-notebook.ts";

interface CellEditorProps {
  readonly cell: ShownCell;
  readonly open: NotebookAtHand;
  /** The text of the draft. */
  readonly code: Signal<string>;
}

/** The editor of a cell. Its text goes to the file when the reader leaves it. */
export function CellEditor({ cell, open, code }: CellEditorProps) {
  const { notebook, drafts } = open;
  const { type, revision } = cell.facts.value;
  useEffect(() => drafts.keepUp(cell), [revision]);
  // Also when another program has deleted the cell, and its editor with it.
  useEffect(() => () => void drafts.finish(cell.key), []);
  const leave = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    const place = currentTarget as HTMLElement;
    if (relatedTarget instanceof Node && place.contains(relatedTarget)) return;
    // The whole window has lost the focus: the reader comes back to the same place.
    if (place.contains(document.activeElement)) void drafts.save(cell.key);
    else void drafts.finish(cell.key);
  };
  return html`
    <div class="cell-editor" onFocusOut=${leave}>
      <${PythonEditor} code=${code} label=${labels[type]} language=${type === "code" ? "python" : "text"}
        takesFocus=${drafts.clicked ?? true} onRun=${(then: "next") => runAndGo(open, cell, then)}
        complete=${notebook.complete} inspect=${notebook.inspect} />
      <p class="overtaken" role="status">${drafts.isOvertaken(cell) ? "Another program has changed this cell since. When you leave it, both versions are kept." : ""}</p>
    </div>`;
}

const labels = { code: "Code of the cell", markdown: "Markdown of the cell", raw: "Text of the cell", unknown: "" };
