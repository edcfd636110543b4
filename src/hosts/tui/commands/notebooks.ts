import { GranaryError } from "../../../support/granary-error.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import { SessionFiles } from "../save-session.ts";
import type { CommandConsole, ConsoleCommand } from "./command.ts";

export const save: ConsoleCommand = {
  name: "save",
  argument: "file.ipynb",
  summary: "saves all cells and their outputs as a notebook",
  async run(argument, console) {
    const path = notebookPath(argument, "/save analysis.ipynb", console);
    const { workbench } = console;
    const { all } = workbench.records;
    if (all.length === 0) throw new GranaryError("usage", "Nothing has been run yet.");
    workbench.files ??= new SessionFiles();
    await workbench.files.save(all, path, workbench.session.shared.info);
    console.add(
      new NoteBlock(`Saved ${all.length === 1 ? "1 cell" : `${all.length} cells`} to ${path}`, { style: "muted" }),
    );
  },
};

export const open: ConsoleCommand = {
  name: "open",
  argument: "file.ipynb",
  summary: "opens a notebook to edit and run; q returns",
  run: (argument, console) => console.openNotebook(notebookPath(argument, "/open analysis.ipynb", console)),
};

function notebookPath(argument: string, example: string, console: CommandConsole): string {
  if (argument === "") throw new GranaryError("usage", `Which file? For example: ${example}`);
  if (!argument.endsWith(".ipynb"))
    throw new GranaryError("usage", `A notebook's name ends with .ipynb, for example: ${example}`);
  return console.pathOf(argument);
}
