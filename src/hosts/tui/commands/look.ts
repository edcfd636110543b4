import type { Execution } from "../../../session/execution/execution.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { lookText } from "../../../tools/executions/look-text.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import type { CommandConsole, ConsoleCommand } from "./command.ts";

export const look: ConsoleCommand = {
  name: "look",
  argument: "[ID]",
  summary: "where running work is: stack, processes, progress; it is not disturbed",
  async run(argument, console) {
    const execution = argument === "" ? running(console) : named(argument, console);
    console.add(new NoteBlock(lookText(execution, await execution.look())));
  },
};

/** What is shown, else what began last. */
function running({ foreground, workbench }: CommandConsole): Execution {
  const found = foreground?.execution ?? workbench.executions.findLast(({ status }) => status === "running");
  if (found === undefined) throw new GranaryError("usage", "Nothing is running. /executions lists what has run.");
  return found;
}

function named(id: string, { workbench }: CommandConsole): Execution {
  const found = workbench.executions.find((execution) => execution.id === id);
  if (found === undefined) throw new GranaryError("usage", `There is no execution ${id}. /executions lists them.`);
  return found;
}
