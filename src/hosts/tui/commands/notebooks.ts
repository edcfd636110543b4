import { GranaryError, isGranaryError } from "../../../support/granary-error.ts";
import { sayCount } from "../../../support/say-count.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import { SessionFiles } from "../save-session.ts";
import type { CommandConsole, ConsoleCommand } from "./command.ts";

export const save: ConsoleCommand = {
  name: "save",
  argument: "file.ipynb",
  summary: "saves all cells and their outputs as a notebook; --overwrite replaces another file",
  async run(argument, console) {
    const [, option = "", name = ""] = /^(--overwrite(?:\s+|$))?([\s\S]*)$/.exec(argument) ?? [];
    const path = notebookPath(name, "/save analysis.ipynb", console);
    const { workbench } = console;
    const { all } = workbench.records;
    if (all.length === 0) throw new GranaryError("usage", "Nothing has been run yet.");
    workbench.files ??= new SessionFiles();
    const { session } = workbench;
    const within = await session.saveRoots([path]);
    const options = { kernel: session.shared.info, overwrite: option !== "", within };
    await workbench.files.save(all, path, options).catch((error) => {
      throw isGranaryError(error, "changed-on-disk") ? wouldOverwrite(path, name) : error;
    });
    console.add(new NoteBlock(`Saved ${sayCount(all.length, "cell")} to ${path}`, { style: "muted" }));
  },
};

function wouldOverwrite(path: string, typed: string): GranaryError {
  const remedy = `Choose another name, or replace it: /save --overwrite ${typed}`;
  return new GranaryError("exists", `${path} is not from this console, or was changed since. ${remedy}`);
}

export const open: ConsoleCommand = {
  name: "open",
  argument: "file.ipynb",
  summary: "opens a notebook to edit and run; q returns",
  run(argument, console) {
    const path = notebookPath(argument, "/open analysis.ipynb", console);
    // The view starts the person's own editor, which needs the terminal itself.
    if (console.workbench.isKept)
      throw new GranaryError("usage", `Open notebooks beside this console: granary notebook open ${argument}`);
    return console.openNotebook(path);
  },
};

function notebookPath(argument: string, example: string, console: CommandConsole): string {
  if (argument === "") throw new GranaryError("usage", `Which file? For example: ${example}`);
  if (!argument.endsWith(".ipynb"))
    throw new GranaryError("usage", `A notebook's name ends with .ipynb, for example: ${example}`);
  return console.pathOf(argument);
}
