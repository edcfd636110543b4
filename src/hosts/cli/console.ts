import { granaryHome } from "../../settings/granary-home.ts";
import { savePictureIn } from "./attach/save-picture-in.ts";
import { type CommandContext, typedPath } from "./command/command-context.ts";
import { type EndingSignal, endBySignal } from "./command/end-by-signal.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { UsageError } from "./command/usage-error.ts";
import { wantsHub } from "./run/run-and-report.ts";
import { parseRunArguments, type RunArguments } from "./run/run-arguments.ts";

const help = `granary console: Python in this terminal, with pictures, history and completion.

Usage:
  granary [console] [options]

Options:
  --session NAME      in a session of the hub, which outlives the console; a
                      living one is joined, as with granary attach NAME
  --python PATH       run on this Python
  --backend NAME      runner, gateway or zmq
  --kernel NAME       a Jupyter kernelspec
  --attach FILE       a running Jupyter kernel, by its connection file
  --cwd DIR           the folder to work in
  --env NAME[=VALUE]  one more variable for the code
  --sandbox[=strict]  limit Python and its commands to this folder, without
                      secrets and network. Where a settings file says strict,
                      --sandbox stays strict, and --sandbox=workspace is not;
                      granary doctor shows whether that works here
  --trust             run .granary/modules and use programs and variables that
                      the folder's settings name, this time; see granary trust
  --timeout SECONDS   interrupt a cell after SECONDS; never by default
  -h, --help          show this

Examples:
  granary
  granary console --session etl
  granary console --python .venv/bin/python

In the console, /help lists all commands and keys.

Exit codes:
  0 left      2 wrong usage      3 Granary failed, or there is no such Python
`;

/** `granary console`, and `granary` on a terminal. */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = parseRunArguments(args, context.env);
  if (parsed === "help") {
    context.stdout.write(help);
    return exitCodes.ok;
  }
  refuseCode(parsed);
  requireTerminal(context);
  if (parsed.interpreter !== undefined && parsed.attach === undefined) await requireInterpreter(parsed, context);
  if (wantsHub(parsed, context)) {
    const { consoleInHub } = await import("./attach/console-in-hub.ts");
    const exitCode = await consoleInHub(parsed, context, { joins: false });
    if (exitCode !== null) return exitCode;
  }
  return open(parsed, context);
}

async function open(args: RunArguments, context: CommandContext): Promise<number> {
  const { env, stdin, stdout, onSignal } = context;
  const [{ startConsole }, { RealTerminal }] = await Promise.all([
    import("../tui/start-console.ts"),
    import("../tui/terminal-device.ts"),
  ]);
  const cwd = typedPath(args.cwd ?? ".", context);
  const device = new RealTerminal(stdin, stdout);
  const stop = new AbortController();
  const detach = (["SIGTERM", "SIGHUP"] as const).map((name) => onSignal(name, () => stop.abort(name)));
  try {
    await startConsole({
      device,
      env,
      cwd,
      home: granaryHome(env),
      session: args.session,
      timeoutMs: args.timeoutMs,
      signal: stop.signal,
      openRuntime: async () => {
        const { openConsoleRuntime } = await import("./command/console-runtime.ts");
        return openConsoleRuntime(args, cwd, context);
      },
      savePicture: savePictureIn(env),
    });
  } finally {
    for (const off of detach) off();
  }
  if (device.isGone) return endBySignal("SIGHUP");
  return stop.signal.aborted ? endBySignal(stop.signal.reason as EndingSignal) : exitCodes.ok;
}

function refuseCode({ source, json }: RunArguments): void {
  if (source.type === "file") throw new UsageError(`The console takes no file. To run one: granary run ${source.path}`);
  if (source.type !== "stdin" || source.askedFor)
    throw new UsageError("The console takes no code. To run some: granary run -c CODE");
  if (json) throw new UsageError("The console has no --json. For programs: granary run --json -c CODE");
}

/** A console without its Python would stay open, and no cell of it could run. */
async function requireInterpreter(
  { interpreter, backend, sandbox, cwd: typed }: RunArguments,
  context: CommandContext,
) {
  const { env } = context;
  const cwd = typedPath(typed ?? ".", context);
  const home = granaryHome(env);
  const [{ findInterpreter }, { interpreterSearch }, { loadSettings }] = await Promise.all([
    import("../../python/find/find-interpreter.ts"),
    import("../../runtime/kernel/launch-kernel.ts"),
    import("../../settings/load-settings.ts"),
  ]);
  const settings = await loadSettings({ cwd, env, home, overrides: { python: { interpreter, backend, sandbox } } });
  await findInterpreter(interpreterSearch({ cwd, env, home, settings, signal: new AbortController().signal }));
}

/** The console draws on a terminal, so neither input nor output can be a pipe. */
export function requireTerminal({ env, isTerminal }: CommandContext, instead = runInstead): void {
  if (!isTerminal("stdin") || !isTerminal("stdout"))
    throw new UsageError(`The console needs a terminal. To run code without one: ${instead}`);
  if (env.TERM === "dumb") {
    throw new UsageError(
      `The console needs a terminal that can move its cursor, and TERM is dumb. To run code without one: ${instead}`,
    );
  }
}

const runInstead = "granary run -c 'print(6*7)', or granary run FILE";
