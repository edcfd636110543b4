import { type CommandContext, typedPath } from "../command/command-context.ts";
import { UsageError } from "../command/usage-error.ts";

/** Stands for standard input and standard output. */
export const standardStream = "-";

/** Commands that only read a notebook, and so may read it from standard input. */
const readers: ReadonlySet<string> = new Set(["show", "text", "diff", "find", "check", "validate", "export", "run"]);

/** The only argument of most commands: the notebook's path, as typed and resolved. */
export function onlyFile(positionals: readonly string[], command: string): string {
  const [file, ...others] = requireFile(positionals, command);
  if (others.length > 0) {
    throw new UsageError(`granary notebook ${command} takes one FILE, but got ${positionals.join(" and ")}.`);
  }
  return file;
}

export function requireFile(positionals: readonly string[], command: string): readonly [string, ...string[]] {
  const [file, ...others] = positionals;
  if (file === standardStream && !readers.has(command)) {
    throw new UsageError(
      `granary notebook ${command} needs a file. Standard input (-) is for ${[...readers].join(", ")}.`,
    );
  }
  if (file !== undefined) {
    if (command !== "new") refuseScript(file);
    return [file, ...others];
  }
  throw new UsageError(`Which notebook? As in: granary notebook ${command} analysis.ipynb`);
}

export function refuseScript(file: string): void {
  if (file.toLowerCase().endsWith(".py")) {
    throw new UsageError(`${file} is not a notebook. To run it: granary run ${file}`);
  }
}

export function inFolder(path: string, context: CommandContext): string {
  return typedPath(path, context);
}
