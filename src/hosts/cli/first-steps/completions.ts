import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { bashCompletions } from "./bash-completions.ts";
import { fishCompletions } from "./fish-completions.ts";
import { helpPages } from "./help-pages.ts";
import { zshCompletions } from "./zsh-completions.ts";

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

const help = `Prints a script that completes granary's commands and options in a shell.

Usage:
  granary completions bash
  granary completions zsh
  granary completions fish

Examples, for all later shells:
  granary completions bash > ~/.local/share/bash-completion/completions/granary
  granary completions zsh > "\${fpath[1]}/_granary"
  granary completions fish > ~/.config/fish/completions/granary.fish

For this shell only: source <(granary completions bash)

Options:
  -h, --help        show this

Exit codes:
  0 done      2 wrong usage
`;
