import { upgradeNotebook } from "../../../notebook/edit/upgrade.ts";
import { updateNotebook } from "../../../notebook/file/update-notebook.ts";
import { type Notebook, nbformatMinor } from "../../../notebook/notebook.ts";
import { type NotebookProblem, validateNotebook } from "../../../notebook/validate/validate-notebook.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";
import { saveWithin } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { readTypedNotebook, type TypedNotebook } from "./files/typed-notebook.ts";
import { inFolder, onlyFile, standardStream } from "./one-file.ts";

const options = {
  upgrade: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `granary notebook validate` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const { stdout } = context;
  const file = onlyFile(positionals, "validate");
  const read = await (values.upgrade ? upgraded(file, context) : readTypedNotebook(file, context)).catch(unreadable);
  if ("problem" in read) {
    const path = file === standardStream ? null : inFolder(file, context);
    const problems = [read.problem];
    const document = { status: "error", path, nbformat: null, problems };
    await say(stdout, values.json ? `${JSON.stringify(document)}\n` : `${read.problem.message}\n`);
    return exitCodes.error;
  }
  const { notebook, path } = read;
  const isOld = !values.upgrade && notebook.upgradedFrom !== undefined;
  const problems = isOld ? [oldVersion(notebook)] : validateNotebook(notebook);
  const nbformat = isOld ? `${notebook.upgradedFrom}` : `4.${nbformatMinor(notebook)}`;
  if (values.json) {
    const status = problems.length === 0 ? "ok" : "error";
    await write(stdout, `${JSON.stringify({ status, path, nbformat, problems })}\n`);
  } else {
    const lines = problems.map(({ at, message }) => `${at === "" ? file : at} ${message}\n`);
    await say(stdout, problems.length === 0 ? `${file} is valid nbformat ${nbformat}.\n` : lines.join(""));
  }
  return problems.length === 0 ? exitCodes.ok : exitCodes.error;
}

/** A file whose content is no notebook at all is not valid; any other error is thrown again. */
function unreadable(error: unknown): { readonly problem: NotebookProblem } {
  // That of standard input comes as a wrong argument, with its reason as the cause.
  const reason = isGranaryError(error, "usage") ? error.cause : error;
  if (!isGranaryError(reason, ...noNotebook)) throw error;
  const cellIndex = typeof reason.details.cellIndex === "number" ? reason.details.cellIndex : null;
  const { message } = error as Error;
  return { problem: { at: cellIndex === null ? "" : `cells[${cellIndex}]`, message, cellIndex } };
}

const noNotebook = [
  ...(["not-a-notebook", "missing-cells", "cells-not-array"] as const),
  ...(["invalid-cell", "invalid-cell-type", "invalid-source"] as const),
];

async function upgraded(file: string, context: CommandContext): Promise<TypedNotebook> {
  if (file === standardStream) throw new UsageError("--upgrade changes a file in place: name it instead of -.");
  const path = inFolder(file, context);
  const within = await saveWithin(path, context);
  return { notebook: await updateNotebook(path, (read) => upgradeNotebook(read), { upgrades: true, within }), path };
}

function oldVersion({ upgradedFrom }: Notebook): NotebookProblem {
  const message = `is ${upgradedFrom}, and nbformat 4 is the current one; --upgrade makes it nbformat 4.5`;
  return { at: "nbformat", message, cellIndex: null };
}

const help = `Validates a notebook against the schema of its nbformat version.

Usage:
  granary notebook validate FILE [--upgrade] [--json]

Example:
  granary notebook validate old.ipynb --upgrade

Options:
      --upgrade     convert to nbformat 4.5 first: cells with no id, or
                    with a duplicate id, get one; the rest is unchanged.
                    nbformat 2 and 3 are converted as in Jupyter
      --json        print { status, path, nbformat, problems: [{ at, message,
                    cellIndex }] }; nbformat is null for a file that is no
                    notebook at all
  -h, --help        show this

Exit codes: 0 valid, 1 not valid, 2 wrong usage or no such file, 3 the file
cannot be read, is not JSON, or has an nbformat that Granary does not know
`;
