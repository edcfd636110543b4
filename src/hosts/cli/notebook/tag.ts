import type { NotebookCell } from "../../../notebook/cell.ts";
import { indexOfCell } from "../../../notebook/edit/address.ts";
import { parseAddress } from "../../../notebook/edit/cell-addresses.ts";
import { withCellAt } from "../../../notebook/edit/cell-list.ts";
import { withTags } from "../../../notebook/edit/metadata.ts";
import { readNotebook } from "../../../notebook/file/read-notebook.ts";
import { updateNotebook } from "../../../notebook/file/update-notebook.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { saveWithin } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { inFolder, requireFile } from "./one-file.ts";

const options = {
  add: { type: "string", multiple: true },
  remove: { type: "string", multiple: true },
  json: { type: "boolean" },
} as const;

/** `granary notebook tag` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const [file, cell, ...more] = requireFile(positionals, "tag");
  if (cell === undefined || more.length > 0) {
    throw new UsageError("tag takes a FILE and a CELL, as in: granary notebook tag a.ipynb 1 --add parameters");
  }
  const address = parseAddress(cell);
  const [add, remove] = [tagsIn(values.add), tagsIn(values.remove)];
  const path = inFolder(file, context);
  const isChange = add.length > 0 || remove.length > 0;
  const notebook = isChange
    ? await updateNotebook(
        path,
        (before) => {
          const index = indexOfCell(before, address);
          return withCellAt(before, index, withTags(before, before.cells[index] as NotebookCell, { add, remove }));
        },
        { within: await saveWithin(path, context) },
      )
    : await readNotebook(path);
  const index = indexOfCell(notebook, address);
  const { id, tags } = notebook.cells[index] as NotebookCell;
  const told = values.json
    ? JSON.stringify({ status: "ok", path, index, id, tags })
    : `Cell ${index} has ${tags.length === 0 ? "no tags" : `the tags ${visibleText(tags.join(", "))}`}.`;
  await write(context.stdout, `${told}\n`);
  return exitCodes.ok;
}

function tagsIn(typed: readonly string[] = []): readonly string[] {
  return typed
    .flatMap((list) => list.split(","))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

const help = `Adds and removes tags of a cell. Without options it prints the tags.

Usage:
  granary notebook tag FILE CELL [--add TAGS] [--remove TAGS] [--json]

CELL is an index, counted from 0, or an id.

Options:
      --add TAGS      tags to add, such as parameters, or skip-execution,slow;
                      repeatable
      --remove TAGS   tags to remove
      --json          print { status, path, index, id, tags }
  -h, --help          show this

Example:
  granary notebook tag a.ipynb 1 --add parameters
`;
