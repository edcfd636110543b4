import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { refuseOtherLanguages } from "../../../execute/notebook/kernel-metadata.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { percentScript } from "../../../notebook/text/percent/percent-script.ts";
import { explainWriteFailure } from "../../../output/artifacts/write-failure.ts";
import { writeFileAtomically } from "../../../support/files/atomic-write.ts";
import { holdFile } from "../../../support/files/held-file.ts";
import { whileLocked } from "../../../support/files/locked-file.ts";
import { GranaryError, isGranaryError } from "../../../support/granary-error.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { readWithin, saveWithin } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import { write } from "../command/write.ts";
import { refuseExisting } from "./files/existing-file.ts";
import { readTypedNotebook } from "./files/typed-notebook.ts";
import { inFolder, onlyFile, standardStream } from "./one-file.ts";

const options = {
  to: { type: "string" },
  output: { type: "string", short: "o" },
  overwrite: { type: "boolean" },
  json: { type: "boolean" },
} as const;

/** `granary notebook export` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const file = onlyFile(positionals, "export");
  const { ending, exported } = formatOf(values.to);
  const toStdout = values.output === standardStream || (file === standardStream && values.output === undefined);
  const within = toStdout ? null : await readWithin(inFolder(file, context), context);
  const { notebook, path } = await readTypedNotebook(file, context, within);
  const text = await exported(notebook, path ?? "notebook.ipynb");
  if (toStdout) {
    await write(context.stdout, text);
    return exitCodes.ok;
  }
  const target = values.output ?? file.replace(/(?:\.ipynb)?$/, ending);
  const targetPath = inFolder(target, context);
  const mayReplace = values.output !== undefined || (values.overwrite ?? false);
  await requireOther(targetPath, path, target, mayReplace);
  try {
    await writeExport(targetPath, text, context);
  } catch (error) {
    if (isGranaryError(error, "outside-roots")) throw error;
    const folder = dirname(targetPath);
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const why = isMissing ? `There is no folder ${folder}.` : explainWriteFailure(error, folder);
    throw new GranaryError("not-writable", why, { cause: error });
  }
  const told = values.json ? JSON.stringify({ status: "ok", path, savedTo: targetPath }) : `Wrote ${target}.`;
  await write(context.stdout, `${told}\n`);
  return exitCodes.ok;
}

/** Code in a sandbox may have written the notebook, and have put a link in the place of the target. */
async function writeExport(path: string, text: string, context: CommandContext): Promise<void> {
  const within = await saveWithin(path, context);
  await whileLocked(path, { within }, async () => {
    await using held = await holdFile(path, within);
    await writeFileAtomically(held.at, text, { beforeReplacing: () => held.stillInside() });
  });
}

/** Never overwrites the notebook, and another file only on request: it may be written by hand. */
async function requireOther(target: string, notebook: string | null, name: string, mayReplace: boolean) {
  const found = await stat(target).catch(() => null);
  const source = notebook === null ? null : await stat(notebook);
  if (found !== null && found.ino === source?.ino && found.dev === source.dev) {
    throw new UsageError(`${name} is the notebook itself. Name another file with -o.`);
  }
  refuseExisting(found, name, { mayReplace, remedy: "Add --overwrite, or name another file with -o." });
}

interface Format {
  readonly ending: string;
  exported(notebook: Notebook, path: string): Promise<string>;
}

const formats: Readonly<Record<string, Format>> = {
  html: {
    ending: ".html",
    async exported(notebook, path) {
      const { notebookPage } = await import("./export/notebook-page.ts");
      return notebookPage(notebook, path);
    },
  },
  script: {
    ending: ".py",
    async exported(notebook) {
      refuseOtherLanguages(notebook);
      return percentScript(notebook);
    },
  },
};

function formatOf(typed: string | undefined): Format {
  const format = typed === undefined || !Object.hasOwn(formats, typed) ? undefined : formats[typed];
  if (format !== undefined) return format;
  throw new UsageError(`--to is ${Object.keys(formats).join(" or ")}${typed === undefined ? "" : `, not ${typed}`}.`);
}

const help = `Writes a notebook as a page or as a script, beside the notebook.

Usage:
  granary notebook export FILE --to html [-o PAGE.html]
  granary notebook export FILE --to script [-o SCRIPT.py]

html is one file with everything in it: code with colours, formatted Markdown,
outputs and pictures. It is safe to open: nothing in it runs, and it asks no other
computer for anything. script is Python in the percent format; magics are
comments in it.

Options:
      --to F        html or script
  -o, --output F    another file, which is overwritten; - for standard output,
                    as without -o when FILE is - (standard input)
      --overwrite   overwrite the file beside the notebook
      --json        print { status, path, savedTo }
  -h, --help        show this

Example:
  granary notebook export report.ipynb --to html
`;
