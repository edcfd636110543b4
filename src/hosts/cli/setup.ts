import { join } from "node:path";
import { checkManagedEnvironment, type ManagedState } from "../../python/managed/managed-check.ts";
import { type SetUp, setUpManagedEnvironment } from "../../python/managed/managed-environment.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import { argumentsOrHelp, refusePositionals } from "./command/arguments-or-help.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { say } from "./command/say.ts";
import { StopRequest } from "./command/stop-request.ts";

const options = { check: { type: "boolean" }, json: { type: "boolean" }, python: { type: "string" } } as const;

/** `granary setup` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const typed = argumentsOrHelp(args, options, help, context);
  if (typed === null) return exitCodes.ok;
  const { values, positionals } = typed;
  refusePositionals("setup", positionals);
  using stop = new StopRequest(context);
  const tell = (document: object, sentence: string): Promise<void> =>
    say(context.stdout, values.json ? `${JSON.stringify(document)}\n` : `${sentence}\n`);
  const { env, stderr } = context;
  const home = granaryHome(env);
  try {
    if (values.check) {
      const state = await checkManagedEnvironment({ home, cwd: context.cwd, env, signal: stop.signal });
      await tell(state, describeState(state));
      return state.state === "ready" ? exitCodes.ok : exitCodes.error;
    }
    const onProgress = (line: string): void => void say(stderr, `${line}\n`);
    const setUp = await setUpManagedEnvironment({
      home,
      cwd: context.cwd,
      env,
      signal: stop.signal,
      onProgress,
      basePython: values.python,
    });
    await tell(setUp, describeSetUp(setUp));
    return exitCodes.ok;
  } catch (error) {
    if (stop.reason !== null) return stop.exitCode ?? exitCodes.cancelled;
    if (isGranaryError(error) && values.json) {
      const { code, message } = error;
      await tell({ did: "nothing", error: { code, message } }, "");
    }
    throw error;
  }
}

function describeState(state: ManagedState): string {
  switch (state.state) {
    case "ready":
      return describeReady(state);
    case "missing":
      return `There is no environment at ${state.path} yet. Make it with: granary setup`;
    case "broken":
      return `${state.problem} Repair it with: granary setup`;
  }
}

function describeSetUp({ did, environment }: SetUp): string {
  const what = { nothing: "Nothing to do.", created: "Created.", repaired: "Repaired." };
  return `${what[did]} ${describeReady(environment)}\n${howToUse(environment)}`;
}

function howToUse({ path }: SetUp["environment"]): string {
  const python = join(path, "bin", "python");
  return `Jupyter kernels (--backend zmq or gateway) use it where a folder has no environment and the Python on PATH has no ipykernel.
For everything: granary run --python ${python} …, or the setting python.interpreter.`;
}

function describeReady({ path, version, packages }: SetUp["environment"]): string {
  const list = Object.entries(packages).map(([name, installed]) => `${name} ${installed}`);
  return `${path} has Python ${version} with ${list.join(" and ")}.`;
}

const help = `Makes or repairs Granary's own Python environment, with what
Jupyter kernels need: ipykernel and jupyter_kernel_gateway.

Usage:
  granary setup [--check] [--json] [--python PATH]

It is made in ~/.granary/python-env, with uv if installed, else with venv and
pip. Programs of this folder do not count, such as those of an activated .venv.
Environments of projects stay unchanged. The embedded runner, which runs
cells by default, needs none of this, and runs on the same Python as before. To
use the environment, choose a Jupyter backend, or name it:
granary run --python ~/.granary/python-env/bin/python

Options:
      --check        only report whether it exists and works; change nothing
      --python PATH  the Python to make it with; the first on PATH by default
      --json         print one JSON document on standard output, for programs
  -h, --help         show this

Examples:
  granary setup
  granary setup --check && granary run --backend zmq -c 'print(6*7)'

Exit codes:
  0 it exists and works        1 --check: it is missing or broken
  2 wrong usage                3 it could not be made      130 cancelled
`;
