import type { EditAction } from "./edit-arguments.ts";

interface Described {
  readonly what: string;
  readonly usage: string;
  readonly options?: string;
  readonly example: string;
}

const contentOption = `  -c, --content TEXT
                    the source; without it, or with -, it comes from standard
                    input, without its last newline; for an empty cell, ''
`;

const clearOption = `      --clear-outputs
                    clear the outputs of the old source; otherwise they stay,
                    and the command says that they are stale
`;

const actions: Readonly<Record<EditAction, Described>> = {
  edit: {
    what: "Changes a cell's source. The cell keeps its type, id and metadata.",
    usage: "FILE CELL [options]",
    options: contentOption + clearOption,
    example: "granary notebook edit a.ipynb 3 --content 'x = 1'",
  },
  replace: {
    what: "Replaces text within a cell. It has to occur exactly once, unless --all.",
    usage: "FILE CELL --old TEXT --new TEXT [options]",
    options: `      --all         replace every occurrence\n${clearOption}`,
    example: "granary notebook replace a.ipynb 3 --old 'n = 10' --new 'n = 100'",
  },
  insert: {
    what: "Adds a cell, at the end by default.",
    usage: "FILE [options]",
    options: `      --at N        insert it as cell N
      --before CELL, --after CELL
                    insert it next to that one
      --type T      code, markdown or raw
${contentOption}`,
    example: "granary notebook insert a.ipynb --after 3 < cell.py",
  },
  delete: {
    what: "Deletes a cell. With --json it prints the source of the cell.",
    usage: "FILE CELL",
    example: "granary notebook delete a.ipynb 3",
  },
  move: {
    what: "Moves a cell. TO is its index after the move.",
    usage: "FILE CELL TO",
    example: "granary notebook move a.ipynb 3 0",
  },
  type: {
    what: "Makes a cell code, markdown or raw. Only code has outputs.",
    usage: "FILE CELL TYPE",
    example: "granary notebook type a.ipynb 3 markdown",
  },
  clear: {
    what: "Clears outputs and execution counts, of one cell or of all.",
    usage: "FILE [CELL]",
    example: "granary notebook clear a.ipynb",
  },
  split: {
    what: "Splits a cell. The first part keeps id and metadata; neither keeps outputs.",
    usage: "FILE CELL --line N",
    options: "      --line N      the line, counted from 1, that begins the second cell\n",
    example: "granary notebook split a.ipynb 3 --line 5",
  },
  merge: {
    what: "Joins a cell with those after it. The first keeps id and metadata.",
    usage: "FILE CELL [--count N]",
    options: "      --count N     how many become one; 2 by default\n",
    example: "granary notebook merge a.ipynb 3",
  },
};

export function notebookEditHelp(action: EditAction): string {
  const { what, usage, options = "", example } = actions[action];
  return `${what}

Usage:
  granary notebook ${action} ${usage}

CELL is an index, counted from 0, or an id (id:3 for one that looks like an
index). The edit leaves all other bytes of the file unchanged. If another
program saves the file at the same time, the edit is applied to the saved file.

Options:
${options}      --json        print { status, path, action, cellIndex, cellType, cellId,
                    totalCells, cellSource, changed, outputsAreStale }
  -h, --help        show this

Example:
  ${example}
`;
}
