import { argumentsOrHelp } from "../command/arguments-or-help.ts";
import type { CommandContext } from "../command/command-context.ts";
import { type EndingSignal, endBySignal } from "../command/end-by-signal.ts";
import { exitCodes } from "../command/exit-codes.ts";
import { UsageError } from "../command/usage-error.ts";
import { inFolder, onlyFile } from "./one-file.ts";
import { type KernelArguments, kernelArguments, kernelOptions } from "./run/notebook-run-arguments.ts";
import { openNotebookRuntime } from "./run/open-notebook-runtime.ts";

const { json: _, timeout: __, ...options } = kernelOptions;

/** `granary notebook open` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  const parsed = kernelArguments(values, onlyFile(positionals, "open"));
  requireTerminal(context, parsed.file);
  const endedBy = await open(parsed, context);
  return endedBy === null ? exitCodes.ok : endBySignal(endedBy);
}

/** Runs until the user leaves, or a signal ends it; returns that signal. */
async function open(parsed: KernelArguments, context: CommandContext): Promise<EndingSignal | null> {
  const { env, stdin, stdout, onSignal } = context;
  await using runtime = await openNotebookRuntime(parsed, context, { onScreen: true });
  const [{ openNotebook }, { RealTerminal }] = await Promise.all([
    import("../../tui/notebook/open-notebook.ts"),
    import("../../tui/terminal-device.ts"),
  ]);
  const device = new RealTerminal(stdin, stdout);
  const stop = new AbortController();
  const detach = (["SIGTERM", "SIGHUP"] as const).map((name) => onSignal(name, () => stop.abort(name)));
  try {
    await openNotebook({
      path: inFolder(parsed.file, context),
      session: runtime.session(),
      maxCellMegabytes: runtime.settings.notebook.maxCellMegabytes,
      env,
      device,
      pictures: runtime.settings.console.pictures,
      signal: stop.signal,
    });
  } finally {
    for (const off of detach) off();
  }
  if (device.isGone) return "SIGHUP";
  return stop.signal.aborted ? (stop.signal.reason as EndingSignal) : null;
}

/** The view draws on a terminal, so neither input nor output can be a pipe. */
function requireTerminal({ env, isTerminal }: CommandContext, file: string): void {
  const isDrawable = isTerminal("stdin") && isTerminal("stdout") && env.TERM !== "dumb";
  if (isDrawable) return;
  throw new UsageError(
    `granary notebook open needs a terminal to draw on. To print the notebook: granary notebook show ${file}`,
  );
}

const help = `Opens a notebook in this terminal: its cells with their outputs and pictures, to
be read, edited and run.

Usage:
  granary notebook open FILE [options]

Keys are at the foot of the screen; ? lists all of them. Running a cell saves
the notebook; s saves it without running. If another program saves the file at
the same time, the view takes over its changes; nothing is overwritten.

Example:
  granary notebook open report.ipynb

Options:
      --cwd DIR      run in this folder instead of the notebook's
      --python PATH  run on this Python
      --backend B    auto, runner, gateway or zmq
  -h, --help         show this
`;
