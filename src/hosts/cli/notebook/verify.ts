import { runNotebook } from "../../../execute/run-notebook.ts";
import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { say } from "../command/say.ts";
import { StopRequest } from "../command/stop-request.ts";
import { write } from "../command/write.ts";
import { inFolder, onlyFile } from "./one-file.ts";
import { kernelArguments, kernelOptions } from "./run/notebook-run-arguments.ts";
import { openNotebookRuntime } from "./run/open-notebook-runtime.ts";
import { progressReport } from "./run/progress.ts";
import { typedPattern } from "./typed-pattern.ts";

/** `granary notebook verify` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const options = { ...kernelOptions, ignore: { type: "string", multiple: true } } as const;
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const { stdout, stderr, cwd } = context;
  const parsed = kernelArguments(values, onlyFile(positionals, "verify"));
  const ignore = (values.ignore ?? []).map((pattern) => typedPattern(pattern, "gu", "--ignore"));
  using stop = new StopRequest(context);
  await using runtime = await openNotebookRuntime(parsed, context);
  const session = runtime.session();
  const run = await (async () => {
    using progress = progressReport(context, { json: true });
    return await runNotebook(session, inFolder(parsed.file, context), {
      timeoutMs: parsed.timeoutMs,
      allowErrors: "where-stored",
      verify: { ignore },
      saveTo: null,
      maxCellMegabytes: runtime.settings.notebook.maxCellMegabytes,
      signal: stop.signal,
      onProgress: (step) => progress.take(step),
    });
  })();
  const changed = run.cells.filter(({ outputsChanged }) => outputsChanged);
  if (parsed.json) {
    const { runDocument } = await import("./run/run-document.ts");
    const document = { verified: run.status === "ok" && changed.length === 0, ...runDocument(run, session.shared) };
    await write(stdout, `${JSON.stringify(document)}\n`);
  } else {
    const { sayChanged, sayFailed, sayVerified } = await import("../../../execute/notebook/run-summary.ts");
    for (const notice of run.notices) await say(stderr, `granary: ${notice}\n`);
    for (const cell of changed) await say(stdout, `${sayChanged(cell)}\n`);
    if (run.status !== "ok") await say(stderr, `${sayFailed(run, cwd, parsed.timeoutMs)}\n`);
    else await say(stdout, `${sayVerified(run)}\n`);
  }
  if (run.status === "cancelled") return stop.exitCode ?? exitCodes.cancelled;
  if (run.status !== "ok") return exitCodes[run.status];
  return changed.length === 0 ? exitCodes.ok : exitCodes.error;
}

const help = `Runs a notebook in a fresh kernel, from top to bottom, and compares the
new outputs with the stored ones. The file is not changed.

Usage:
  granary notebook verify FILE [options]

Example:
  granary notebook verify report.ipynb --ignore 'took .* s'

Memory addresses, dates and times, durations, rates of progress bars, temporary
paths, random ids, the order of sets, and prompt numbers may differ. Tables are
compared cell by cell. Exceptions are compared by name and message. A cell that
raises ends the run, unless the notebook shows that it raised before.

A cell with the tag nbval-skip is not run, and the outputs of one with the tag
nbval-ignore-output are not compared.

Options:
      --timeout S    interrupt a cell after S seconds, and end the run
      --cwd DIR      run in this folder instead of the notebook's
      --python PATH  run on this Python
      --backend B    auto, runner, gateway or zmq
      --ignore REGEX ignore text that matches this JavaScript regular
                     expression; may be given several times
      --json         print the document of granary notebook run, with verified
  -h, --help         show this

Exit codes:
  0 same outputs   1 other outputs, or a cell failed   2 wrong usage
  3 Granary or the kernel failed      124 timed out      130 cancelled
`;
