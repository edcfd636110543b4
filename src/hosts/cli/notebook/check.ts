import { checkNotebook } from "../../../execute/notebook/check/check-notebook.ts";
import { sayCheck } from "../../../execute/notebook/check/say-check.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";
import { write } from "../command/write.ts";
import { readTypedNotebook } from "./files/typed-notebook.ts";
import { onlyFile } from "./one-file.ts";

const options = { json: { type: "boolean" } } as const;

/** `granary notebook check` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const { stdout } = context;
  const file = onlyFile(positionals, "check");
  const { notebook, path } = await readTypedNotebook(file, context);
  const check = checkNotebook(notebook);
  const { unknown, verdict } = check;
  const isGood = verdict !== "stale";
  if (values.json) {
    const findings = check.findings.map(({ why: _, ...finding }) => finding);
    const document = { status: isGood ? "ok" : "error", verdict, path, findings, unknown };
    await write(stdout, `${JSON.stringify(document)}\n`);
  } else {
    await say(stdout, `${sayCheck(check, file)}\n`);
  }
  return isGood ? exitCodes.ok : exitCodes.error;
}

const help = `Reports where outputs in a notebook do not match its code: cells that were
never run, were edited or cleared after the run, show an error, were run out of
order, or are stale, because the code above is not the code that ran before
them.

Usage:
  granary notebook check FILE [--json]

Example:
  granary notebook check report.ipynb

This command runs nothing. To run and compare: granary notebook verify FILE
Granary notes in each cell what ran, when, and after which cell. For cells that
another program has run, or run --no-times, only numbers and times are known;
check says so.

Options:
      --json        print { status, verdict, path, findings: [{ type, index, id,
                    message }], unknown }; verdict is current, stale or unknown;
                    type is never-run, cleared, edited, error, out-of-order or
                    stale
  -h, --help        show this

Exit codes: 0 nothing found, 1 something found, 2 wrong usage
`;
