import { saveNotebook } from "../../../notebook/file/save-notebook.ts";
import { newNotebook } from "../../../notebook/new-notebook.ts";
import { exitCodes } from "../exit-codes.ts";
import { parseArguments } from "../parse-arguments.ts";
import type { Surroundings } from "../surroundings.ts";
import { inFolder, onlyFile } from "./one-file.ts";

const options = {
  overwrite: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** `granary notebook new` */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { values, positionals } = parseArguments(args, options);
  const { stdout } = surroundings;
  if (values.help) {
    stdout.write(help);
    return exitCodes.ok;
  }
  const file = onlyFile(positionals, "new");
  const path = inFolder(file, surroundings);
  await saveNotebook(newNotebook({ path }), { overwrite: values.overwrite ?? false });
  stdout.write(values.json ? `${JSON.stringify({ status: "ok", path, totalCells: 0 })}\n` : `Made ${file}.\n`);
  return exitCodes.ok;
}

const help = `Makes an empty notebook, in nbformat 4.5.

Usage:
  granary notebook new FILE [--overwrite] [--json]

A file that is there already is left as it is, unless --overwrite is given.

Then:
  granary notebook insert FILE --content 'print(6*7)'
  granary notebook run FILE
`;
