import { html } from "../html.ts";
import type { CellConflict } from "./drafts.ts";
import { type NotebookAtHand, resolveConflict } from "./notebook-actions.ts";

/** The two versions of a cell, side by side. Both are in the file until the reader chooses. */
export function ConflictView({ conflict, open }: { readonly conflict: CellConflict; readonly open: NotebookAtHand }) {
  const { notebook, drafts } = open;
  const mine = notebook.cell(conflict.mine)?.facts.value;
  const theirs = notebook.cell(conflict.theirs)?.facts.value;
  return html`
    <article class="cell conflict" aria-label="A cell in two versions">
      <p class="conflict-title" role="status">You and another program changed this cell. Both versions are in the notebook.</p>
      <div class="versions">
        <section aria-label="Their version"><h2>Theirs</h2><pre class="code" tabindex="0">${theirs?.source}</pre></section>
        <section aria-label="Your version"><h2>Yours</h2><pre class="code" tabindex="0">${mine?.source}</pre></section>
      </div>
      <p class="conflict-choice">
        <button onClick=${() => resolveConflict(open, conflict, "mine")}>Keep mine</button>
        <button onClick=${() => resolveConflict(open, conflict, "theirs")}>Take theirs</button>
        <button onClick=${() => drafts.forget(conflict)}>Keep both</button>
      </p>
    </article>`;
}
