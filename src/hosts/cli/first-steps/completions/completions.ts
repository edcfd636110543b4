import { argumentsOrHelp } from "../../command/arguments-or-help.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { UsageError } from "../../command/usage-error.ts";
import { write } from "../../command/write.ts";
import { helpPages } from "../help-pages.ts";
import { bashCompletions } from "./bash.ts";
import { fishCompletions } from "./fish.ts";
import { zshCompletions } from "./zsh.ts";

const shells = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions } as const;

/** `granary completions` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, {}, help, context);
  if (typed === null) return exitCodes.ok;
  const [shell = "", ...others] = typed.positionals;
  if (!Object.hasOwn(shells, shell) || others.length > 0) {
    throw new UsageError("Name one shell: granary completions bash, zsh or fish.");
  }
  await write(context.stdout, shells[shell as keyof typeof shells](await helpPages()));
  return exitCodes.ok;
}

const help = `Prints a script that completes granary's commands, options, session names and
notebooks in a shell.

Usage:
  granary completions bash
  granary completions zsh
  granary completions fish

Examples, a line for the shell's start file:
  source <(granary completions bash)      in ~/.bashrc
  source <(granary completions zsh)       in ~/.zshrc, after compinit
  granary completions fish | source       in ~/.config/fish/config.fish

Options:
  -h, --help        show this

Exit codes:
  0 done      2 wrong usage
`;
