import { join } from "node:path";
import type { Interpreter } from "../../../python/interpreter.ts";
import { createRuntime, type Runtime } from "../../../runtime/runtime.ts";
import type { RuntimeOptions } from "../../../runtime/runtime-options.ts";
import type { SharedSessions } from "../../../runtime/shared-sessions.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { stat } from "../../../support/files/look.ts";
import { systemReason } from "../../../support/files/system-reason.ts";
import type { RunArguments } from "../run/run-arguments.ts";
import { pictureTypes, placePictures } from "../terminal/place-pictures.ts";
import type { CommandContext } from "./command-context.ts";
import { UsageError } from "./usage-error.ts";

/** The runtime of `granary run`: pictures become files. */
export function openRuntime(
  args: Pick<
    RunArguments,
    | "trust"
    | "sandbox"
    | "interpreter"
    | "extraEnv"
    | "backend"
    | "kernel"
    | "attach"
    | "session"
    | "reset"
    | "cwd"
    | "json"
    | "source"
  >,
  cwd: string,
  context: CommandContext,
  sessions?: SharedSessions,
): Promise<Runtime> {
  const { interpreter, backend, kernel, attach, extraEnv, session, reset, source, sandbox } = args;
  const folder = pictureFolder(context.env);
  const isChosen = [interpreter, backend, kernel, sandbox].some((chosen) => chosen !== undefined);
  return createRuntime({
    ...usualOptions({ cwd, isChosen: args.cwd !== undefined }, context),
    startsOneKernel: sessions === undefined,
    endsWithItsCells: sessions === undefined,
    extraEnv,
    trust: args.trust,
    attach,
    // A cell must not read it: the standard input of an agent may never end.
    inheritsStdin: sessions === undefined && (source.type === "file" || source.type === "module"),
    // Undefined when nothing was chosen, so that the module that reads it is not loaded.
    settings: isChosen ? { python: { interpreter, backend, kernel, sandbox } } : undefined,
    sessions,
    // The hub itself keeps kernels.
    kernels: session === undefined || sessions !== undefined ? undefined : reset ? "fresh" : "reuse",
    // A pipe gets the whole output, and needs no artifact; in the hub, others read the output later.
    textArtifacts: sessions !== undefined || args.json || context.isTerminal("stdout"),
    placePictures: async (data) =>
      pictureTypes.some((type) => type in data) ? ((await placePictures(data, folder))?.text ?? null) : null,
  });
}

/** Of `--cwd`, before anything runs in it. */
export async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--cwd ${path} cannot be used: ${systemReason(error)}.`);
  });
  if (!found.isDirectory()) throw new UsageError(`--cwd ${path} is not a folder.`);
}

/** The runtime of every command: it reports Pythons that were skipped. */
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

/** Only environments that the user made or activated are reported; a broken Python on PATH is not the user's choice. */
function noteSkipped({ executable, skipped }: Interpreter): string | null {
  const missed = skipped.filter(({ source }) => source !== "PATH");
  if (missed.length === 0) return null;
  const reasons = missed.map(({ path, problem }) => `${path}, which ${problem}`);
  return `granary: skipped ${reasons.join("; and ")}; using ${executable}.\n`;
}
