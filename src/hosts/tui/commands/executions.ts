import { GranaryError } from "../../../support/granary-error.ts";
import { ExecutionsBlock } from "../blocks/executions-block.ts";
import type { ConsoleCommand } from "./command.ts";

export const executions: ConsoleCommand = {
  name: "executions",
  summary: "lists executions with the end of their output",
  run(_argument, console) {
    console.add(new ExecutionsBlock(() => console.workbench.executions));
  },
};

export const attach: ConsoleCommand = {
  name: "attach",
  argument: "ID",
  summary: "shows the output of an execution live; ctrl+c then interrupts it",
  run(argument, console) {
    const known = console.workbench.executions.map(({ id }) => id);
    if (argument === "")
      throw new GranaryError("usage", "Which one? /executions lists them, for example: /attach run-2");
    if (!known.includes(argument))
      throw new GranaryError("usage", `There is no execution ${argument}. /executions lists them.`);
    console.follow(argument);
  },
};
