import { GranaryError } from "../../../support/granary-error.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import type { ConsoleCommand } from "./command.ts";

export const reset: ConsoleCommand = {
  name: "reset",
  summary: "restarts Python; all variables are lost",
  async run(_argument, console) {
    const { session } = console.workbench;
    if (session.shared.isBusy)
      throw new GranaryError("usage", "A cell is running. Interrupt it with /interrupt first.");
    const { failure } = await session.reset({ force: true }).result;
    if (failure !== null) throw new GranaryError("usage", failure.message);
    console.add(new NoteBlock("Python restarts; all variables are lost.", { style: "muted" }));
    console.workbench.prepare();
  },
};
