import type { Availability } from "../kernel/kernel.ts";
import { findInterpreter } from "../python/find/find-interpreter.ts";
import type { Interpreter } from "../python/interpreter.ts";
import { deadlineAfter } from "../support/deadline.ts";
import { isGranaryError } from "../support/granary-error.ts";
import { sayCount } from "../support/say-count.ts";
import { interpreterSearch } from "./kernel/launch-kernel.ts";
import type { StartContext } from "./kernel/start-context.ts";
import { startEnvironment } from "./kernel/start-environment.ts";

/**
 * Whether kernels can be started, as far as Granary can know without starting one or running code of the folder. Rejects
 * only on abort.
 */
export async function preflight(startContext: StartContext, caller?: AbortSignal): Promise<Availability> {
  const { site, settings } = startContext;
  const { skipCheck, startSeconds } = settings.values.python;
  if (skipCheck || site === "attached") return { available: true };
  using deadline = deadlineAfter(startSeconds * 1000, caller);
  const { signal } = deadline;
  try {
    const [interpreter, backend] = await Promise.all([
      site === "here" ? findInterpreter({ ...interpreterSearch({ ...startContext, signal }), looksOnly: true }) : null,
      startContext.loadBackend(),
    ]);
    // A Python that has answered the search can run the embedded runner. A sandbox has no other backend: a call will say so.
    if (backend.name === "runner" || settings.values.python.sandbox !== "off") return { available: true };
    if (interpreter !== null && (await isOfFolder(interpreter, startContext))) return { available: true };
    const env = interpreter === null ? {} : await environmentElsewhere(interpreter, startContext);
    return await backend.probe({ interpreter: interpreter?.executable ?? "", env, signal });
  } catch (error) {
    caller?.throwIfAborted();
    if (deadline.hasPassed) return tooSlow(startSeconds);
    const { message } = error as Error;
    const remedy = isGranaryError(error, "no-python") ? "" : "`granary doctor` tells more.";
    return { available: false, reason: message, remedy };
  }
}

/** Its packages cannot be tried without running code of the folder, which a call may do. */
async function isOfFolder(interpreter: Interpreter, place: Pick<StartContext, "cwd" | "env">): Promise<boolean> {
  const { belongsToFolder } = await import("../python/find/in-folder.ts");
  return belongsToFolder(interpreter, place);
}

/** In which a Python from elsewhere runs nothing of the folder. */
async function environmentElsewhere(interpreter: Interpreter, startContext: StartContext) {
  const [{ withoutFolderPrograms }, { environmentInFront }] = await Promise.all([
    import("../python/find/in-folder.ts"),
    import("./kernel/later-path.ts"),
  ]);
  const { cwd, env, extraEnv } = startContext;
  const elsewhere = await withoutFolderPrograms({ cwd, env: { ...env, ...extraEnv } });
  const context = { ...startContext, env: elsewhere.env, extraEnv: undefined };
  return environmentInFront(startEnvironment(interpreter, context), context, interpreter, { looksOnly: true });
}

function tooSlow(seconds: number): Availability {
  const remedy = "Give it more time with python.startSeconds, or skip the check with PI_PYTHON_SKIP_CHECK=1.";
  return { available: false, reason: `Python did not answer within ${sayCount(seconds, "second")}.`, remedy };
}
