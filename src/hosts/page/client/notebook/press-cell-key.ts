import { changeType, insertCell, moveCell, type NotebookAtHand, runShownCell } from "./notebook-actions.ts";
import type { ShownCell } from "./shown-notebook.ts";

/** For `D D`: the cell and the time of the first. */
let lastD: { readonly key: string; readonly at: number } | null = null;
const twiceMs = 800;

/** Keys of a cell, as in other notebook editors. */
export function pressCellKey(event: KeyboardEvent, cell: ShownCell, open: NotebookAtHand): void {
  const isInEditor = event.target instanceof Element && event.target.closest(".cell-editor") !== null;
  const handled = runKey(event, cell, open) || (isInEditor ? editorKey(event, cell, open) : cellKey(event, cell, open));
  if (handled) event.preventDefault();
}

function runKey(event: KeyboardEvent, cell: ShownCell, open: NotebookAtHand): boolean {
  if (event.key !== "Enter" || !(event.shiftKey || event.ctrlKey || event.metaKey)) return false;
  void runShownCell(open, cell);
  if (event.shiftKey) void toNext(cell, open);
  else focusCell(cell.key);
  return true;
}

function editorKey(event: KeyboardEvent, cell: ShownCell, open: NotebookAtHand): boolean {
  if (event.key !== "Escape") return false;
  void open.drafts.finish(cell.key);
  focusCell(cell.key);
  return true;
}

function cellKey(event: KeyboardEvent, cell: ShownCell, open: NotebookAtHand): boolean {
  // Buttons and fields inside of the cell have their own keys.
  const isField = event.target instanceof Element && event.target.closest("button, select, input, a, summary") !== null;
  if (isField || event.ctrlKey || event.metaKey) return false;
  const { notebook, drafts } = open;
  const before = lastD;
  lastD = null;
  switch (event.altKey ? `Alt+${event.key}` : event.key) {
    case "Enter":
      drafts.begin(cell);
      return true;
    case "ArrowDown":
    case "j":
      return focusBeside(cell, open, 1);
    case "ArrowUp":
    case "k":
      return focusBeside(cell, open, -1);
    case "Alt+ArrowDown":
      void moveCell(open, cell, 1);
      return true;
    case "Alt+ArrowUp":
      void moveCell(open, cell, -1);
      return true;
    case "a":
      void insertCell(open, notebook.before(cell.key));
      return true;
    case "b":
      void insertCell(open, cell.key);
      return true;
    case "m":
      void changeType(open, cell, "markdown");
      return true;
    case "y":
      void changeType(open, cell, "code");
      return true;
    case "d":
      if (before?.key === cell.key && Date.now() - before.at < twiceMs) {
        focusBeside(cell, open, 1) || focusBeside(cell, open, -1);
        void notebook.remove(cell);
      } else lastD = { key: cell.key, at: Date.now() };
      return true;
    default:
      return false;
  }
}

/** After the last cell comes a new one, as in other notebook editors. */
async function toNext(cell: ShownCell, open: NotebookAtHand): Promise<void> {
  if (!focusBeside(cell, open, 1)) await insertCell(open, cell.key);
}

function focusBeside(cell: ShownCell, { notebook }: NotebookAtHand, by: 1 | -1): boolean {
  const cells = notebook.cells.value ?? [];
  const beside = cells[cells.findIndex(({ key }) => key === cell.key) + by];
  return beside !== undefined && focusCell(beside.key);
}

function focusCell(key: string): boolean {
  const place = document.getElementById(`notebook-${key}`);
  place?.focus();
  return place !== null;
}
