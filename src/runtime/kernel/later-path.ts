import { delimiter } from "node:path";
import type { Kernel } from "../../kernel/kernel.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { pythonLiteral } from "../../python/python-literal.ts";
import { ProgramsInFront } from "../sandbox/programs-in-front.ts";
import { isBehindProgram, type LaunchOptions } from "./launch-kernel.ts";

/** PATH of Python, and before it: of programs in front of Python, which must not find those of the folder. */
export interface LaterPath {
  readonly path: string;
  readonly before: string;
}

type Context = Pick<LaunchOptions, "cwd" | "base" | "env" | "extraEnv" | "home" | "settings">;

/** Null where both are the same. */
export function laterPath(path: string | undefined, context: Context): LaterPath | null {
  const { path: before } = new ProgramsInFront(context);
  return path === undefined || path === before ? null : { path, before };
}

/** The environment to start a Python with that is only tried. */
export async function environmentInFront(
  env: Readonly<Record<string, string>>,
  context: Context,
  interpreter: Interpreter,
): Promise<Readonly<Record<string, string>>> {
  const later = (await isBehindProgram(context.settings, interpreter)) ? laterPath(env.PATH, context) : null;
  return later === null ? env : { ...env, PATH: later.before };
}

/** One expression, so that it leaves no name behind. */
const giveBack = `(lambda os, path, before, more: os.environ.__setitem__("PATH",
  path if os.environ.get("PATH") == before else
  os.pathsep.join([*filter(os.path.isdir, more), *filter(None, [os.environ.get("PATH")])])))`;

/**
 * Gives Python its PATH. A container, or a program such as direnv, has one of its own, which stays: then only the missing folders
 * are added, if they are there.
 */
export async function givePathBack(kernel: Kernel, { path, before }: LaterPath, signal: AbortSignal): Promise<void> {
  const { runInternally } = await import("../../session/bootstrap/bootstrap.ts");
  const known = before.split(delimiter);
  const more = path.split(delimiter).filter((folder) => !known.includes(folder));
  const given = [path, before, more].map(pythonLiteral).join(", ");
  await runInternally(kernel, `${giveBack}(__import__("os"), ${given})`, signal, "getting its PATH");
}
