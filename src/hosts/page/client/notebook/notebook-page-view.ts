import { useEffect, useMemo } from "preact/hooks";
import { html } from "../html.ts";
import { restartPython } from "../state/restart.ts";
import { notebooksAddress, sessionAddress } from "../state/route.ts";
import { ConflictView } from "./conflict-view.ts";
import { CellDrafts } from "./drafts.ts";
import { insertCell, type NotebookAtHand, runAll } from "./notebook-actions.ts";
import { NotebookCellView } from "./notebook-cell-view.ts";
import { RunningCell } from "./running-cell.ts";
import { ShownNotebook } from "./shown-notebook.ts";

/** A notebook: its cells with their outputs, as they are in the file. */
export function NotebookPageView({ session, path }: { readonly session: string; readonly path: string }) {
  const open = useMemo(() => {
    const notebook = new ShownNotebook(session, path);
    return { notebook, drafts: new CellDrafts(notebook) };
  }, [session, path]);
  useEffect(() => leaveWithCare(open), [open]);
  const { notebook, drafts } = open;
  const isRunning = notebook.isRunning.value;
  useEffect(() => {
    document.title = `${isRunning ? "● " : ""}${path} · Granary`;
  }, [path, isRunning]);
  if (notebook.problem.value !== null) {
    return html`<p class="problem" role="alert">${notebook.problem.value}</p><p><a href=${notebooksAddress(session)}>All notebooks</a></p>`;
  }
  const cells = notebook.cells.value;
  if (cells === null) return html`<p class="hint" role="status">Loading…</p>`;
  const conflicts = drafts.conflicts.value;
  const shown = cells.filter(({ key }) => !conflicts.some(({ mine }) => mine === key));
  return html`
    <${NotebookHead} open=${open} />
    <${FileState} notebook=${notebook} />
    <div class="cells notebook" role="group" aria-label="Cells of the notebook">
      ${shown.map((cell) => {
        const conflict = conflicts.find(({ theirs }) => theirs === cell.key);
        return conflict === undefined
          ? html`<${NotebookCellView} key=${cell.key} cell=${cell} open=${open} />`
          : html`<${ConflictView} key=${cell.key} conflict=${conflict} open=${open} />`;
      })}
    </div>
    ${cells.length === 0 && html`<p class="hint">The notebook has no cells.</p>`}
    <p class="notebook-end">
      <button onClick=${() => insertCell(open, cells.at(-1)?.key ?? null)}>Add a cell</button>
      <span class="hint keys">Keys of a cell: Enter edits, Shift+Enter runs, A and B insert, D D deletes, Z brings back, M and Y change the type, Alt+↑↓ moves</span>
    </p>
    <${RunningCell} open=${open} />
    <${MessageBar} notebook=${notebook} />`;
}

function NotebookHead({ open }: { readonly open: NotebookAtHand }) {
  const { notebook } = open;
  const changed = (notebook.cells.value ?? []).filter(({ isChanged }) => isChanged.value);
  const toChanged = (): void => {
    document.getElementById(`notebook-${changed[0]?.key}`)?.scrollIntoView({ block: "center" });
  };
  const restart = async (): Promise<void> => {
    const text = await restartPython(notebook.session, notebook.folder.value?.name ?? "");
    if (text !== null) notebook.message.value = { text };
  };
  return html`
    <header class="session-head">
      <h1>${notebook.path.split("/").at(-1)}</h1>
      <span class="facts">
        <span class="folder">${notebook.folder.value?.folder}/${notebook.path}</span>
        <span>runs in <a href=${sessionAddress(notebook.session)}>${notebook.folder.value?.name}</a></span>
        <a href=${notebooksAddress(notebook.session)}>All notebooks</a>
      </span>
      <span class="actions">
        ${changed.length > 0 && html`<button class="changed-count" onClick=${toChanged}>${changed.length} changed</button>`}
        <button class="primary" onClick=${() => runAll(open)}>Run all</button>
        <button onClick=${() => notebook.interrupt()} disabled=${!notebook.isRunning.value}>Interrupt</button>
        <button onClick=${restart}>Restart…</button>
        <button onClick=${() => notebook.attempt({ action: "clear" })}>Clear outputs</button>
      </span>
    </header>`;
}

function FileState({ notebook }: { readonly notebook: ShownNotebook }) {
  const file = notebook.file.value;
  const isThere = file === null || file.state === "there";
  return html`
    <div role="status">
      ${
        !isThere &&
        html`<p class="file-state">
        ${file.state === "deleted" ? "Another program deleted this file. The cells below are its last content." : `The file cannot be read now. ${file.message}`}
        ${file.state === "deleted" && html` <button onClick=${() => notebook.saveAgain()}>Save it again</button>`}
      </p>`
      }
    </div>`;
}

function MessageBar({ notebook }: { readonly notebook: ShownNotebook }) {
  const message = notebook.message.value;
  const close = (): void => {
    notebook.message.value = null;
  };
  return html`
    <div class="message-bar" role="status">
      ${
        message !== null &&
        html`<p>${message.text}
        ${message.undo !== undefined && html`<button onClick=${() => notebook.undo()}>Undo</button>`}
        <button class="quiet" aria-label="Close this message" onClick=${close}>✕</button>
      </p>`
      }
    </div>`;
}

/** Text that is not in the file yet goes there before the reader leaves; a closing tab asks first. */
function leaveWithCare({ notebook, drafts }: NotebookAtHand): () => void {
  const ask = (event: BeforeUnloadEvent): void => {
    if (drafts.hasUnsaved) event.preventDefault();
  };
  const save = (): void => {
    if (document.visibilityState === "hidden") void drafts.finishAll();
  };
  addEventListener("beforeunload", ask);
  document.addEventListener("visibilitychange", save);
  return () => {
    removeEventListener("beforeunload", ask);
    document.removeEventListener("visibilitychange", save);
    void drafts.finishAll().then(() => notebook.close());
  };
}
