import type { NotebookEditor } from "./notebook-editor.ts";

export interface KeyCommand {
  /** One key, or two in sequence. Help names the first. */
  readonly keys: readonly string[];
  readonly name: string;
  /** For the foot of the screen; not every command has one. */
  readonly short?: string;
  run(editor: NotebookEditor): void;
}

/** Keys while no cell is being edited, similar to Jupyter's. */
export const keyTable: readonly KeyCommand[] = [
  { keys: ["enter"], name: "edit the cell; Esc ends the edit", short: "Enter edit", run: (editor) => editor.edit() },
  { keys: ["e"], name: "edit the cell in $EDITOR", short: "e $EDITOR", run: (editor) => void editor.editElsewhere() },
  {
    keys: ["shift+enter", "alt+enter", "r"],
    name: "run the cell and go to the next",
    short: "r run",
    run: (editor) => editor.run("next"),
  },
  { keys: ["ctrl+r", "ctrl+enter"], name: "run the cell and stay", run: (editor) => editor.run("stay") },
  { keys: ["R"], name: "run all cells", short: "R all", run: (editor) => editor.runAll() },
  { keys: ["i i", "ctrl+c"], name: "interrupt", short: "ii interrupt", run: (editor) => void editor.interrupt() },
  { keys: ["0 0"], name: "restart Python", short: "00 restart", run: (editor) => void editor.runs.restart() },
  { keys: ["j", "down"], name: "the next cell", run: (editor) => editor.selectBy(1) },
  { keys: ["k", "up"], name: "the cell before", run: (editor) => editor.selectBy(-1) },
  { keys: ["g g", "home"], name: "the first cell", run: (editor) => editor.selectAt(0) },
  { keys: ["G", "end"], name: "the last cell", run: (editor) => editor.selectAt(Number.POSITIVE_INFINITY) },
  { keys: ["a"], name: "insert a cell above", short: "a/b insert", run: (editor) => editor.insert(0) },
  { keys: ["b"], name: "insert a cell below", run: (editor) => editor.insert(1) },
  { keys: ["d d"], name: "delete the cell", short: "dd delete", run: (editor) => editor.remove() },
  { keys: ["K"], name: "move the cell up", run: (editor) => editor.move(-1) },
  { keys: ["J"], name: "move the cell down", run: (editor) => editor.move(1) },
  { keys: ["m"], name: "make it a markdown cell", run: (editor) => editor.setType("markdown") },
  { keys: ["y"], name: "make it a code cell", run: (editor) => editor.setType("code") },
  { keys: ["z", "u"], name: "undo the last edit", short: "z undo", run: (editor) => editor.undo() },
  {
    keys: ["o"],
    name: "expand or collapse the cell's output",
    short: "o outputs",
    run: (editor) => editor.toggleOutputs(),
  },
  { keys: ["s", "ctrl+s"], name: "save", short: "s save", run: (editor) => void editor.save() },
  { keys: ["ctrl+z"], name: "suspend; fg resumes", run: (editor) => editor.suspend() },
  { keys: ["?", "h"], name: "this help", short: "? help", run: showHelp },
  { keys: ["q", "ctrl+d"], name: "leave", short: "q quit", run: (editor) => void editor.quit() },
];

/** The command for these keys; `more` when they may be the beginning of one. */
export function commandFor(typed: string): KeyCommand | "more" | null {
  const command = keyTable.find(({ keys }) => keys.includes(typed));
  if (command !== undefined) return command;
  return keyTable.some(({ keys }) => keys.some((key) => key.startsWith(`${typed} `))) ? "more" : null;
}

/** As many as fit in a line, always including help and quit. */
export function footKeys(columns: number): string {
  const all = keyTable.flatMap(({ short }) => short ?? []);
  const first = all.slice(0, -2);
  const last = all.slice(-2);
  while (first.length > 0 && [...first, ...last].join(gap).length > columns) first.pop();
  return [...first, ...last].join(gap);
}

const gap = "  ";

function showHelp(editor: NotebookEditor): void {
  editor.mode = { type: "help" };
}
