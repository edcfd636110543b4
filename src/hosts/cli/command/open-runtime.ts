import { join } from "node:path";
import type { Interpreter } from "../../../python/interpreter.ts";
import { createRuntime, type Runtime } from "../../../runtime/runtime.ts";
import type { RuntimeOptions } from "../../../runtime/runtime-options.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { RunArguments } from "../run/run-arguments.ts";
import { placePictures } from "../terminal/place-pictures.ts";
import type { CommandContext } from "./command-context.ts";

/** Granary as `granary run` uses it: pictures become files. */
export function openRuntime(
  args: Pick<
    RunArguments,
    "interpreter" | "extraEnv" | "backend" | "kernel" | "attach" | "session" | "reset" | "cwd" | "json" | "source"
  >,
  cwd: string,
  context: CommandContext,
): Promise<Runtime> {
  const { interpreter, backend, kernel, attach, extraEnv, session, reset, source } = args;
  const folder = pictureFolder(context.env);
  const isChosen = interpreter !== undefined || backend !== undefined || kernel !== undefined;
  return createRuntime({
    ...usualOptions({ cwd, isChosen: args.cwd !== undefined }, context),
    extraEnv,
    attach,
    // Cells are asked for by agents, whose standard input may never end.
    inheritsStdin: source.type === "file" || source.type === "module",
    // Undefined when nothing was chosen, so that what reads it need not be loaded.
    settings: isChosen ? { python: { interpreter, backend, kernel } } : undefined,
    kernels: session === undefined ? undefined : reset ? "fresh" : "reuse",
    // A pipe gets all of it, and no word about where else it would be.
    textArtifacts: args.json || context.isTerminal("stdout"),
    placePictures: async (data) => (await placePictures(data, folder))?.text ?? null,
  });
}

/** What every command wants of its runtime: Pythons that were skipped are told. */
export function usualOptions(
  { cwd, isChosen }: { readonly cwd: string; readonly isChosen: boolean },
  { env, stderr, loadBackend }: Pick<CommandContext, "env" | "loadBackend"> & Pick<RuntimeOptions, "stderr">,
): RuntimeOptions {
  return {
    cwd,
    requireCwd: isChosen,
    env,
    loadBackend,
    stderr,
    onInterpreter: (found) => {
      const note = noteSkipped(found);
      if (note !== null) stderr?.write(note);
    },
  };
}

export function pictureFolder(env: CommandContext["env"]): string {
  return join(granaryHome(env), "pictures");
}

/** Whoever made an environment, or activated it, will wonder why it is not used; a broken Python on PATH is nobody's. */
function noteSkipped({ executable, skipped }: Interpreter): string | null {
  const missed = skipped.filter(({ source }) => source !== "PATH");
  if (missed.length === 0) return null;
  const reasons = missed.map(({ path, problem }) => `${path}, which ${problem}`);
  return `granary: skipped ${reasons.join("; and ")}; using ${executable}.\n`;
}
