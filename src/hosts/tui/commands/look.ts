import type { Execution } from "../../../session/execution/execution.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { lookText } from "../../../tools/executions/look-text.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import type { CommandConsole, ConsoleCommand } from "./command.ts";

export const look: ConsoleCommand = {
  name: "look",
  argument: "[ID]",
  summary: "show where running work is, without disturbing it",
  async run(argument, console) {
    const execution = argument === "" ? running(console) : named(argument, console);
    console.add(new NoteBlock(lookText(execution, await execution.look())));
  },
};

/** The attached execution, else the latest. */
function running({ foreground, workbench }: CommandConsole): Execution {
  const found = foreground?.execution ?? workbench.executions.findLast(({ status }) => status === "running");
  if (found === undefined) throw new GranaryError("usage", "Nothing is running. /executions lists ended cells.");
  return found;
}

function named(id: string, { workbench }: CommandConsole): Execution {
  const found = workbench.executions.find((execution) => execution.id === id);
  if (found === undefined) throw new GranaryError("usage", `There is no execution ${id}. /executions lists them.`);
  return found;
}
