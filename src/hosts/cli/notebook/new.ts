import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { saveNotebook } from "../../../notebook/file/save-notebook.ts";
import { newNotebook } from "../../../notebook/new-notebook.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";
import { saveWithin } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import { refuseExisting } from "./files/existing-file.ts";
import { inFolder, onlyFile } from "./one-file.ts";

const options = {
  overwrite: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `granary notebook new` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const { stdout } = context;
  const file = onlyFile(positionals, "new");
  const path = inFolder(file, context);
  const overwrite = values.overwrite ?? false;
  const found = await stat(path).catch(() => null);
  refuseExisting(found, file, { mayReplace: overwrite, remedy: "Add --overwrite, or choose another name." });
  if (extname(path) !== ".ipynb")
    throw new UsageError(`The name of a notebook ends with .ipynb, and ${file} does not.`);
  await saveNotebook(newNotebook({ path }), { overwrite, within: await saveWithin(path, context) });
  await say(stdout, values.json ? `${JSON.stringify({ status: "ok", path, totalCells: 0 })}\n` : `Made ${file}.\n`);
  return exitCodes.ok;
}

const help = `Makes an empty notebook, in nbformat 4.5.

Usage:
  granary notebook new FILE [--overwrite] [--json]

An existing file is not replaced, unless --overwrite is given.

Example:
  granary notebook new report.ipynb
  granary notebook insert report.ipynb --content 'print(6*7)'
  granary notebook run report.ipynb
`;
