import { closest } from "../../support/closest.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { UsageError } from "./command/usage-error.ts";

interface NotebookCommand {
  readonly summary: string;
  /** Loaded on demand. */
  load(): Promise<{ main(args: readonly string[], context: CommandContext, name: string): Promise<number> }>;
}

const edit = () => import("./notebook/edit.ts");
const text = () => import("./notebook/text.ts");

const commands: Readonly<Record<string, NotebookCommand>> = {
  open: { summary: "read, edit and run it in this terminal", load: () => import("./notebook/open.ts") },
  run: { summary: "run its cells and save their outputs", load: () => import("./notebook/run.ts") },
  verify: { summary: "run it in a fresh kernel and compare", load: () => import("./notebook/verify.ts") },
  check: { summary: "report stale cells, and why", load: () => import("./notebook/check.ts") },
  validate: { summary: "validate it against nbformat; --upgrade", load: () => import("./notebook/validate.ts") },
  diff: { summary: "compare two, cell by cell", load: () => import("./notebook/diff.ts") },
  find: { summary: "find text in its cells", load: () => import("./notebook/find.ts") },
  export: { summary: "write it as a page or a script", load: () => import("./notebook/export.ts") },
  new: { summary: "make an empty one", load: () => import("./notebook/new.ts") },
  show: { summary: "print it with its outputs", load: () => import("./notebook/show.ts") },
  text: { summary: "print it as text that can be edited", load: text },
  write: { summary: "save that text as the notebook", load: text },
  edit: { summary: "change a cell's source", load: edit },
  replace: { summary: "replace text within a cell", load: edit },
  insert: { summary: "add a cell", load: edit },
  delete: { summary: "delete a cell", load: edit },
  move: { summary: "move a cell", load: edit },
  type: { summary: "make a cell code, markdown or raw", load: edit },
  clear: { summary: "clear the outputs of one cell, or of all", load: edit },
  tag: { summary: "add and remove tags of a cell", load: () => import("./notebook/tag.ts") },
  split: { summary: "split a cell in two", load: edit },
  merge: { summary: "join a cell with those after it", load: edit },
};

/** `granary notebook` */
export async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === "--help" || name === "-h") {
    context.stdout.write(help());
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw unknown(name);
  const { main } = await command.load();
  try {
    return await main(args, context, name);
  } catch (error) {
    // A program that asks for a document gets one, also for a usage error.
    if (isGranaryError(error) && args.includes("--json")) {
      const { code, message } = error;
      context.stdout.write(`${JSON.stringify({ status: "failed", error: { code, message } })}\n`);
    }
    throw error;
  }
}

function unknown(typed: string): UsageError {
  const file = typed.split("/").at(-1) ?? "";
  if (file.endsWith(".ipynb")) return new UsageError(`What about ${typed}? To run it: granary notebook run ${typed}`);
  const similar = closest(typed, Object.keys(commands));
  const hint = similar === null ? "See: granary notebook --help" : `Did you mean: granary notebook ${similar}`;
  return new UsageError(`There is no command notebook ${typed}. ${hint}`);
}

function help(): string {
  const list = Object.entries(commands).map(([name, { summary }]) => `  granary notebook ${name.padEnd(9)} ${summary}`);
  return `Edits and runs Jupyter notebooks. An edit leaves all other bytes unchanged.

Commands, each with a FILE:
${list.join("\n")}

Examples:
  granary notebook new report.ipynb
  granary notebook insert report.ipynb --content 'total = sum(range(10))'
  granary notebook run report.ipynb
  granary notebook show report.ipynb

  granary notebook COMMAND --help          more about a command
`;
}
