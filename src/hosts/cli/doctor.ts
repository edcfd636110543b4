import { visibleStrings } from "../../output/text/visible-text.ts";
import { argumentsOrHelp, refusePositionals } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { StopRequest } from "./command/stop-request.ts";
import { write } from "./command/write.ts";
import { diagnose } from "./doctor/diagnosis.ts";
import { doctorReport } from "./doctor/doctor-report.ts";
import { canvasOf } from "./terminal/canvas.ts";

const options = { json: { type: "boolean" }, python: { type: "string" }, run: { type: "boolean" } } as const;

/** `granary doctor` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  refusePositionals("doctor", positionals);
  using stop = new StopRequest(context);
  try {
    using _note = noteWhenItTakesLong(context);
    const diagnosis = await diagnose(context, {
      signal: stop.signal,
      interpreter: values.python,
      runs: values.run ?? false,
    });
    const text = values.json
      ? `${JSON.stringify(diagnosis)}\n`
      : doctorReport(visibleStrings(diagnosis), canvasOf(context).theme);
    await write(context.stdout, text);
    return diagnosis.ok ? exitCodes.ok : exitCodes.failed;
  } catch (error) {
    if (stop.reason === null) throw error;
    return stop.exitCode ?? exitCodes.cancelled;
  }
}

const longMs = 1000;

/** Progress for people; programs do not need it. */
function noteWhenItTakesLong({ stderr, isTerminal }: CommandContext): Disposable {
  const say = (): void => void stderr.write("Asking each Python what it is…\n");
  const timer = isTerminal("stderr") ? setTimeout(say, longMs) : undefined;
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

const help = `Shows which Python would be used and why, what is wrong, and how to fix it.

Usage:
  granary doctor [--run] [--json] [--python P]

The doctor runs no code of this folder: it reads the files of a Python in it,
and asks the other Pythons for their version. With --run it asks all of them,
and starts a kernel as a cell would; that may take some seconds. It installs
nothing, and writes nothing but the versions of Pythons that it asked, to
~/.granary/cache. Settings are shown with the file or variable that they come
from. Values of variables, and tokens, are never shown.

Options:
      --run         also run what belongs to this folder, as a cell would
      --python P    check this Python, as granary run --python P uses it: a
                    path, or a name to look for on PATH
      --json        print one JSON document, for programs
  -h, --help        show this

Examples:
  granary doctor
  granary doctor --run --python .venv/bin/python
  granary doctor --json | jq .problems

The JSON document:
  { ok, problems, cwd, leftOut, python, backends, warm, withheld, settings,
    settingsError, home, managedEnvironment, gateway, hub, sandbox,
    terminal }
  a problem:  { severity, problem, remedy, command }; severity is error or
              warning, command is null where there is none to type
  python:     { chosen, why, candidates: [{ path, source, executable, facts,
              problem }] }, in the order of preference; chosen may be null
  a backend:  { name, isChosen, availability: { available, reason, remedy } };
              available is null for one that was not tried
  warm:       { isWarm: true, preloaded, dropped: [{ module, why }] } or
              { isWarm: false, reason }: whether hosts that run for a while
              fork their kernels
  withheld:   the names of the variables that cells do not see
  a setting:  { name, value, origin }
  gateway:    { state: external, url } or { state: shared, gateways: [...] },
              as of granary gateway status, or { state: none }
  hub:        { state: never, none, running (with pid, version, sessions, and
              unlike if this command has another version) or problem (with
              problem) }
  sandbox:    { mode, engine, because, problem, remedy }; engine is the one
              that --sandbox would use, null where none works

Exit codes:
  0 Python cells can run      3 they cannot
  2 wrong usage               130 cancelled
`;
