import { GranaryError } from "../../../support/granary-error.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import type { ConsoleCommand } from "./command.ts";

export const undo: ConsoleCommand = {
  name: "undo",
  summary: "undoes the last cell, or all cells after that number of /history: /undo 3",
  async run(argument, console) {
    const { session } = console.workbench;
    if (!/^(run-)?\d*$/.test(argument))
      throw new GranaryError("usage", `/undo takes the number of a cell, not ${argument}.`);
    if (session.shared.isBusy)
      throw new GranaryError("usage", "A cell is running. Interrupt it with /interrupt first.");
    const cell = argument === "" ? undefined : Number(argument);
    const target = argument.startsWith("run-") ? { execution: argument } : { cell };
    const { failure, notices } = await session.restore(target).result;
    if (failure !== null) throw new GranaryError("usage", failure.message);
    console.add(new NoteBlock(notices.join("\n"), { style: "muted" }));
  },
};
