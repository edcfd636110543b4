import { delimiter } from "node:path";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { pythonLiteral } from "../../python/python-literal.ts";
import { ProgramsInFront } from "../sandbox/programs-in-front.ts";
import { isBehindProgram, type LaunchOptions } from "./launch-kernel.ts";
import { sayOtherPython } from "./other-python.ts";

/** PATH of Python, and before it: of programs in front of Python, which must not find those of the folder. */
interface LaterPath {
  readonly path: string;
  readonly before: string;
  /** The entries of the user's PATH that programs in front of Python do not have. */
  readonly leftOut: readonly string[];
}

type Context = Pick<LaunchOptions, "cwd" | "base" | "env" | "extraEnv" | "home" | "settings">;

/** Null where both are the same. */
function laterPath(path: string | undefined, context: Context, interpreter: Interpreter | null): LaterPath | null {
  if (path === undefined) return null;
  const front = new ProgramsInFront(context);
  const isAlone = interpreter !== null && context.settings.values.python.launcher.length === 0;
  const before = isAlone ? front.pathOf(interpreter.executable, path) : front.path;
  const leftOut = front.leftOut.filter((entry) => !before.split(delimiter).includes(entry));
  return path === before ? null : { path, before, leftOut };
}

/** The environment to start a Python with that is only tried. */
export async function environmentInFront(
  env: Readonly<Record<string, string>>,
  context: Context,
  interpreter: Interpreter,
  { looksOnly }: { readonly looksOnly: boolean },
): Promise<Readonly<Record<string, string>>> {
  const isBehind = await isBehindProgram(context.settings, interpreter);
  const later = isBehind ? laterPath(env.PATH, context, looksOnly ? null : interpreter) : null;
  return later === null ? env : { ...env, PATH: later.before };
}

/** The same for a kernel, which gets its PATH behind them, and a hint for a wrapper that may have started an unexpected Python. */
export async function pathForKernel(
  path: string | undefined,
  options: Context & Pick<LaunchOptions, "signal">,
  interpreter: Interpreter | null,
) {
  const later = laterPath(path, options, interpreter);
  if (later === null) return null;
  const hint = interpreter && (await sayOtherPython(interpreter, later.leftOut));
  return { ...later, hint, give: (kernel: Kernel) => givePathBack(kernel, later, options.signal) };
}

/** One expression, so that it leaves no name behind. */
const giveBack = `(lambda os, path, before, more: os.environ.__setitem__("PATH",
  path if os.environ.get("PATH") == before else
  os.pathsep.join([*filter(os.path.isdir, more), *filter(None, [os.environ.get("PATH")])])))`;

/**
 * Gives Python its PATH. A container, or a program such as direnv, has one of its own, which stays: then only the missing folders
 * are added, if they are there.
 */
async function givePathBack(kernel: Kernel, { path, before }: LaterPath, signal: AbortSignal): Promise<void> {
  const { runInternally } = await import("../../session/bootstrap/bootstrap.ts");
  const known = before.split(delimiter);
  const more = path.split(delimiter).filter((folder) => !known.includes(folder));
  const given = [path, before, more].map(pythonLiteral).join(", ");
  await runInternally(kernel, `${giveBack}(__import__("os"), ${given})`, signal, "getting its PATH");
}
