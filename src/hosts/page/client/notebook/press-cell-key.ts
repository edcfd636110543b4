import {
  changeType,
  focusBeside,
  focusCell,
  insertCell,
  moveCell,
  type NotebookAtHand,
  runAndGo,
} from "./notebook-actions.ts";
import type { ShownCell } from "./shown-notebook.ts";

/** For `D D`: the cell and the time of the first. */
let lastD: { readonly key: string; readonly at: number } | null = null;
const twiceMs = 800;

/** Keys of a cell, as in other notebook editors. The editor has taken its own keys before. */
export function pressCellKey(event: KeyboardEvent, cell: ShownCell, open: NotebookAtHand): void {
  if (event.defaultPrevented) return;
  const isInEditor = event.target instanceof Element && event.target.closest(".cell-editor") !== null;
  if (isInEditor ? editorKey(event, cell, open) : cellKey(event, cell, open)) event.preventDefault();
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
  if (isField) return false;
  const { notebook, drafts } = open;
  const before = lastD;
  lastD = null;
  switch (nameOf(event)) {
    case "Enter":
      drafts.begin(cell);
      return true;
    case "Shift+Enter":
      runAndGo(open, cell, "next");
      return true;
    case "Control+Enter":
      runAndGo(open, cell, "stay");
      return true;
    case "Alt+Enter":
      runAndGo(open, cell, "insert");
      return true;
    case "ArrowDown":
    case "j":
      return focusBeside(open, cell, 1);
    case "ArrowUp":
    case "k":
      return focusBeside(open, cell, -1);
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
        focusBeside(open, cell, 1) || focusBeside(open, cell, -1);
        void notebook.remove(cell);
      } else lastD = { key: cell.key, at: Date.now() };
      return true;
    case "z":
      void notebook.undo();
      return true;
    default:
      return false;
  }
}

/** Control stands for the key of commands, whichever that is. Capital letters come with Shift, and are no commands. */
function nameOf({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): string {
  return `${ctrlKey || metaKey ? "Control+" : ""}${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${key}`;
}
