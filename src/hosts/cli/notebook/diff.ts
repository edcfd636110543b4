import { type CellChange, diffNotebooks, type TextChange } from "../../../notebook/diff/diff-notebooks.ts";
import { newNotebook } from "../../../notebook/new-notebook.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { visibleLine, visibleText } from "../../../output/text/visible-text.ts";
import { unifiedDiff } from "../../../tools/files/text/unified-diff.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { canvasOf } from "../terminal/canvas.ts";
import { readTypedNotebook } from "./files/typed-notebook.ts";
import { standardStream } from "./one-file.ts";

const options = { "no-outputs": { type: "boolean" }, git: { type: "boolean" }, json: { type: "boolean" } } as const;

/** `granary notebook diff` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const { stdout } = context;
  const { before, after, title } = values.git ? filesFromGit(positionals) : twoFiles(positionals);
  const [was, is] = await Promise.all([before, after].map((file) => notebookAt(file, context)));
  const changes = diffNotebooks(was as Notebook, is as Notebook, { outputs: !values["no-outputs"] });
  const isSame = changes.length === 0;
  if (values.json) {
    const document = { status: isSame ? "ok" : "error", before, after, changes };
    await write(stdout, `${JSON.stringify(document)}\n`);
  } else {
    if (!isSame) await write(stdout, `--- ${visibleLine(title ?? before)}\n+++ ${visibleLine(title ?? after)}\n`);
    const paint = await painter(context);
    for (const change of changes) await write(stdout, paint(sayChange(change)));
  }
  // git takes any exit code but 0 for a crash of the program.
  return isSame || values.git ? exitCodes.ok : exitCodes.error;
}

interface Compared {
  readonly before: string;
  readonly after: string;
  /** Names for both, instead of their paths. */
  readonly title: string | null;
}

function twoFiles([before, after, ...more]: readonly string[]): Compared {
  if (before === undefined || after === undefined || more.length > 0) {
    throw new UsageError("diff takes two notebooks, as in: granary notebook diff old.ipynb new.ipynb");
  }
  if (before === standardStream && after === standardStream) {
    throw new UsageError("Standard input (-) holds one notebook: name a file for the other.");
  }
  return { before, after, title: null };
}

/** git passes: path, old file, its hash and mode, new file, its hash and mode; a difftool gets two files. */
function filesFromGit(given: readonly string[]): Compared {
  if (given.length < 7) return twoFiles(given);
  const [path, before, , , after] = given as [string, string, string, string, string];
  return { before, after, title: path };
}

/** git passes /dev/null for a missing file. */
async function notebookAt(file: string, context: CommandContext): Promise<Notebook> {
  return file === "/dev/null" ? newNotebook() : (await readTypedNotebook(file, context)).notebook;
}

function sayChange(change: CellChange): string {
  const { typeChange, source, outputs, tags } = change;
  const parts = [
    `@@ ${placeOf(change)} @@\n`,
    typeChange === null ? "" : `-type: ${typeChange.was}\n+type: ${typeChange.is}\n`,
    tags === null ? "" : `${lines("-tags: ", tags.was)}${lines("+tags: ", tags.is)}`,
    source === null ? "" : textDiff(source),
    outputs === null ? "" : `  outputs:\n${textDiff(outputs)}`,
  ];
  return parts.join("");
}

function placeOf({ change, before, after, id, type }: CellChange): string {
  const name = id === null ? "" : ` ${id}`;
  if (change === "added") return `cell ${after}: ${type}${name}, added`;
  if (change === "removed") return `cell ${before}: ${type}${name}, removed`;
  const where = before === after ? `cell ${after}` : `cell ${before} → ${after}`;
  return `${where}: ${type}${name}, ${change}`;
}

/** Without hunk headers: a cell is short. */
function textDiff({ was, is }: TextChange): string {
  const diff = unifiedDiff(ended(was), ended(is));
  return diff.replace(/^@@ .*@@\n/, "").replace(/^@@ .*@@$/gm, "  …");
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function lines(prefix: string, text: string): string {
  return text === "" ? "" : `${prefix}${text}\n`;
}

/** Text in a file may contain control sequences. */
async function painter(context: CommandContext): Promise<(text: string) => string> {
  if (!context.isTerminal("stdout")) return visibleText;
  const { highlight } = await import("../../../view/highlight/highlight.ts");
  const { theme } = canvasOf(context);
  return (text) => highlight(visibleText(text).split("\n"), "diff", theme).join("\n");
}

const help = `Compares two notebooks cell by cell: sources, outputs, types and tags. Cells are
recognised by their ids or, without ids, by content and position.

Usage:
  granary notebook diff OLD NEW [--no-outputs] [--json]

Example:
  git show HEAD:report.ipynb | granary notebook diff - report.ipynb

One of the two may be - for standard input.

Options:
      --no-outputs  compare only what people wrote
      --git         take the arguments that git gives to a diff program, and end
                    with exit code 0
      --json        print { status, before, after, changes: [{ change, before,
                    after, id, type, typeChange, source, outputs, tags }] }
  -h, --help        show this

For git to use it in this repository:
  echo '*.ipynb diff=granary' >> .gitattributes
  git config diff.granary.command 'granary notebook diff --git'

Exit codes: 0 the same, 1 not the same, 2 wrong usage
`;
