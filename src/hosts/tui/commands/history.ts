import { GranaryError } from "../../../support/granary-error.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import { pastBlocks } from "../kept/join-session.ts";
import type { ConsoleCommand } from "./command.ts";

export const history: ConsoleCommand = {
  name: "history",
  argument: "[N]",
  summary: "shows the last cells of all clients of a session in the hub: 10, or N",
  async run(argument, console) {
    const { workbench } = console;
    if (!workbench.isKept) throw new GranaryError("usage", ownCells);
    const count = argument === "" ? undefined : Number(argument);
    if (count !== undefined && !(Number.isInteger(count) && count > 0))
      throw new GranaryError("usage", "/history takes the number of cells, for example: /history 50");
    const blocks = pastBlocks(await workbench.history(), workbench, count);
    for (const block of blocks) console.add(block);
    if (blocks.length === 0) console.add(new NoteBlock("No cell has ended yet.", { style: "muted" }));
  },
};

const ownCells =
  "This session ends with the console; /executions lists its cells. granary console --session NAME keeps a history.";
