import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sayElapsed } from "../../../../view/lines/elapsed.ts";
import { Code } from "../cell/code.ts";
import { InputQuestion } from "../cell/question.ts";
import { Markdown } from "../displays/markdown.ts";
import { Output } from "../displays/output.ts";
import { loadEditor } from "../editor/editor.ts";
import { html } from "../html.ts";
import { now } from "../state/clock.ts";
import { CellEditor } from "./cell-editor.ts";
import { CellTools } from "./cell-tools.ts";
import type { NotebookAtHand } from "./notebook-actions.ts";
import { pressCellKey } from "./press-cell-key.ts";
import { forgetWhenSeen } from "./seen-mark.ts";
import type { ShownCell } from "./shown-notebook.ts";

interface CellProps {
  readonly cell: ShownCell;
  readonly open: NotebookAtHand;
}

/** A cell of a notebook, with its stored outputs and its editor. */
export function NotebookCellView({ cell, open }: CellProps) {
  const place = useRef<HTMLElement>(null);
  const isChanged = cell.isChanged.value;
  useEffect(() => (isChanged ? forgetWhenSeen(place.current, cell.isChanged) : undefined), [isChanged]);
  const { type } = cell.facts.value;
  const run = cell.run.value;
  // Computed: an editor that opens in one cell leaves the others as they are.
  const isEditing = useComputed(() => open.drafts.editing.value === cell.key).value;
  const classes = ["cell notebook-cell", `type-${type}`, run?.state, isChanged && "changed", isEditing && "editing"];
  return html`
    <article ref=${place} id=${`notebook-${cell.key}`} tabindex="0" class=${classes.filter(Boolean).join(" ")}
      aria-label=${labelOf(cell)} onFocusIn=${loadEditor} onKeyDown=${(event: KeyboardEvent) => pressCellKey(event, cell, open)}>
      <header class="cell-head">
        <span class="count">${countOf(cell)}</span>
        ${(type === "unknown" || type === "raw") && html`<span class="cell-type">${type === "raw" ? "raw" : "unknown type"}</span>`}
        <span class="changed-mark">${isChanged ? "changed" : ""}</span>
        <${RunState} cell=${cell} />
        <${CellTools} cell=${cell} open=${open} />
      </header>
      <${Source} cell=${cell} open=${open} isEditing=${isEditing} />
      <${Outputs} cell=${cell} />
      ${run?.question && html`<${InputQuestion} cell=${{ id: cell.key, question: run.question }} session=${{ answer: (_: string, text: string) => open.notebook.answer(text) }} />`}
    </article>`;
}

function Source({ cell, open, isEditing }: CellProps & { readonly isEditing: boolean }) {
  const { type, source, attachments } = cell.facts.value;
  const draft = useComputed(() => open.drafts.draftOf(cell)).value;
  if (isEditing && draft !== null) return html`<${CellEditor} cell=${cell} open=${open} code=${draft} />`;
  const text = draft?.value ?? source;
  // A click into a link or a selection of text is not meant for the editor.
  const edit = (event: MouseEvent): void => {
    const isLink = event.target instanceof Element && event.target.closest("a, summary") !== null;
    if (isLink || getSelection()?.isCollapsed === false) return;
    const scrollTop = (event.currentTarget as Element).querySelector(".code")?.scrollTop ?? 0;
    open.drafts.begin(cell, type === "markdown" ? null : { x: event.clientX, y: event.clientY, scrollTop });
  };
  if (type === "code") return html`<div onClick=${edit}><${Code} code=${text} /></div>`;
  if (type !== "markdown") return html`<div onClick=${edit}><pre class="code raw">${text}</pre></div>`;
  return html`<div class="notebook-text" onDblClick=${edit}>${text.trim() === "" ? html`<p class="hint">Empty text</p>` : html`<${Markdown} source=${text} attachments=${attachments} />`}</div>`;
}

function Outputs({ cell }: { readonly cell: ShownCell }) {
  const outputs = cell.outputs.value;
  if (outputs.length === 0) return null;
  const isLive = cell.run.value?.state === "running";
  return html`<div class="outputs">${outputs.map((output, index) => html`<${Output} key=${index} output=${output} isLive=${isLive} />`)}</div>`;
}

function RunState({ cell }: { readonly cell: ShownCell }) {
  const run = cell.run.value;
  if (run === null) return null;
  const elapsed = run.startedAt === null ? 0 : now.value - run.startedAt;
  return html`
    <span class="state">${run.state === "queued" ? "waiting" : "running"}${elapsed > 1000 ? ` ${sayElapsed(elapsed)}` : ""}</span>
    ${run.by !== "page" && html`<span class="by">${run.by}</span>`}`;
}

function countOf({ facts, run }: ShownCell): string {
  const { type, count } = facts.value;
  if (type !== "code") return "";
  return run.value === null ? `[${count ?? " "}]` : "[*]";
}

function labelOf({ facts, isChanged, run }: ShownCell): string {
  const { type, count } = facts.value;
  return [`${type} cell${count === null ? "" : ` ${count}`}`, run.value?.state, isChanged.value ? "changed" : ""]
    .filter(Boolean)
    .join(", ");
}
