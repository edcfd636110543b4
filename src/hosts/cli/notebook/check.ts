import { checkNotebook } from "../../../execute/notebook/check-notebook.ts";
import { readNotebook } from "../../../notebook/file/read-notebook.ts";
import { sayCount } from "../../../output/say-size.ts";
import { exitCodes } from "../exit-codes.ts";
import { parseArguments } from "../parse-arguments.ts";
import type { Surroundings } from "../surroundings.ts";
import { write } from "../write.ts";
import { inFolder, onlyFile } from "./one-file.ts";

const options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** `granary notebook check` */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { values, positionals } = parseArguments(args, options);
  const { stdout } = surroundings;
  if (values.help) {
    stdout.write(help);
    return exitCodes.ok;
  }
  const file = onlyFile(positionals, "check");
  const path = inFolder(file, surroundings);
  const { findings, unknown } = checkNotebook(await readNotebook(path));
  const isGood = findings.length === 0;
  if (values.json) {
    await write(stdout, `${JSON.stringify({ status: isGood ? "ok" : "error", path, findings, unknown })}\n`);
  } else {
    const lines = isGood ? [`${file} was run from top to bottom.`] : findings.map(({ message }) => message);
    if (unknown > 0) lines.push(`${sayCount(unknown, "cell")} ${unknown === 1 ? "was" : "were"} ${runElsewhere}`);
    await write(stdout, `${lines.join("\n")}\n`);
  }
  return isGood ? exitCodes.ok : exitCodes.error;
}

const runElsewhere = "run by another program, so whether the code was edited since cannot be known.";

const help = `Says where a notebook shows what its code would not: cells that were never run,
that were edited after they were run, or that were run out of order.

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
