import { checkNotebook, sayCheck } from "../../../execute/notebook/check-notebook.ts";
import { readNotebook } from "../../../notebook/file/read-notebook.ts";
import { argumentsOrHelp } from "../arguments-or-help.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Surroundings } from "../surroundings.ts";
import { say, write } from "../write.ts";
import { inFolder, onlyFile } from "./one-file.ts";

const options = { json: { type: "boolean" } } as const;

/** `granary notebook check` */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, surroundings);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const { stdout } = surroundings;
  const file = onlyFile(positionals, "check");
  const path = inFolder(file, surroundings);
  const { findings, unknown } = checkNotebook(await readNotebook(path));
  const isGood = findings.length === 0;
  if (values.json) {
    await write(stdout, `${JSON.stringify({ status: isGood ? "ok" : "error", path, findings, unknown })}\n`);
  } else {
    await say(stdout, `${sayCheck({ findings, unknown }, file)}\n`);
  }
  return isGood ? exitCodes.ok : exitCodes.error;
}

const help = `Says where a notebook shows what its code would not: cells that were never run,
that were edited after they were run, or that were run out of order or in
different kernels.

Usage:
  granary notebook check FILE [--json]

Nothing is run; for that there is: granary notebook verify FILE
Whether a cell was edited is known only where Granary has run it.

Options:
      --json        print { status, path, findings: [{ type, index, id,
                    message }], unknown }; type is never-run, edited or
                    out-of-order
  -h, --help        show this

Exit codes: 0 nothing found, 1 something found, 2 wrong usage
`;
