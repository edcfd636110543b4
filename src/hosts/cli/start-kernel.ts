import type { Kernel } from "../../kernel/kernel.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { openKernel } from "../../runtime/open-kernel.ts";
import type { RunArguments } from "./run-arguments.ts";
import type { Surroundings } from "./surroundings.ts";

/** A kernel on the Python that belongs to the folder, with the settings that hold there. */
export function startKernel(
  { interpreter, extraEnv }: Pick<RunArguments, "interpreter" | "extraEnv">,
  cwd: string,
  { env, stderr, loadBackend }: Surroundings,
  signal: AbortSignal,
): Promise<Kernel> {
  return openKernel({
    cwd,
    env,
    interpreter,
    extraEnv,
    signal,
    loadBackend,
    stderr,
    onInterpreter: (found) => {
      const note = noteSkipped(found);
      if (note !== null) stderr.write(note);
    },
  });
}

/** Whoever made an environment, or activated it, will wonder why it is not used; a broken Python on PATH is nobody's. */
function noteSkipped({ executable, skipped }: Interpreter): string | null {
  const missed = skipped.filter(({ source }) => source !== "PATH");
  if (missed.length === 0) return null;
  const reasons = missed.map(({ path, problem }) => `${path}, which ${problem}`);
  return `granary: skipped ${reasons.join("; and ")}; using ${executable}.\n`;
}
