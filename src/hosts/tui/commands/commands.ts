import { closest } from "../../../support/closest.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import { background } from "./background.ts";
import type { CommandConsole, ConsoleCommand } from "./command.ts";
import { attach, executions } from "./executions.ts";
import { exit, quit } from "./exit.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { interrupt } from "./interrupt.ts";
import { kernels } from "./kernels.ts";
import { look } from "./look.ts";
import { open, save } from "./notebooks.ts";
import { reset } from "./reset.ts";
import { undo } from "./undo.ts";
import { variables } from "./variables.ts";

/** In the order in which `/help` lists them. */
export const commands: readonly ConsoleCommand[] = [
  help,
  variables,
  kernels,
  undo,
  reset,
  save,
  open,
  executions,
  history,
  look,
  interrupt,
  attach,
  background,
  exit,
  quit,
];

export const commandNames: readonly string[] = commands.map(({ name }) => `/${name}`);

/** Rejects with a message for the person when the command fails. */
export async function runCommand(text: string, console: CommandConsole): Promise<void> {
  const [, name = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = commands.find((each) => each.name === name);
  if (command === undefined) throw new GranaryError("usage", `There is no /${name}. ${suggestion(name)}`);
  await command.run(argument.trimEnd(), console);
}

function suggestion(name: string): string {
  const similar = closest(
    name,
    commands.map((command) => command.name),
  );
  return similar === null ? "/help lists the commands." : `Did you mean /${similar}?`;
}
