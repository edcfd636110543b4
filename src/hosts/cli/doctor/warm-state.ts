import { chooseBackend } from "../../../runtime/backend/load-backend.ts";
import { environmentInFront } from "../../../runtime/kernel/later-path.ts";
import { startEnvironment } from "../../../runtime/kernel/start-environment.ts";
import { WarmStarts, whyNotWarm } from "../../../runtime/warm/warm-starts.ts";
import { isMemoryShort } from "../../../support/process/available-memory.ts";
import type { Trial } from "./backend-state.ts";

/** Whether a long-lived host would fork kernels here, with which modules imported ahead; or why it would not. */
export type WarmState =
  | { readonly isWarm: true; readonly preloaded: readonly string[]; readonly dropped: readonly Dropped[] }
  | { readonly isWarm: false; readonly reason: string };

interface Dropped {
  readonly module: string;
  readonly why: string;
}

/** Starts a warm Python as such a host would. Never rejects. */
export async function tryWarm({
  interpreter,
  home,
  settings,
  context,
  runs,
}: Omit<Trial, "signal">): Promise<WarmState> {
  const { cwd, env } = context;
  const { python } = settings.values;
  const backend = chooseBackend(settings.values, { env });
  if (backend !== "runner") return { isWarm: false, reason: `cells run on the backend ${backend}` };
  if (python.sandbox !== "off") return { isWarm: false, reason: "a session in a sandbox starts a new Python" };
  const whyNot = whyNotWarm(python);
  if (whyNot !== null) return { isWarm: false, reason: whyNot };
  if (interpreter === null) return { isWarm: false, reason: "there is no Python" };
  if (isMemoryShort(python.lowMemoryPercent))
    return {
      isWarm: false,
      reason: `less than ${python.lowMemoryPercent} % of memory are available (python.lowMemoryPercent)`,
    };
  if (!runs) return { isWarm: false, reason: "not tried; granary doctor --run tries it" };
  const starts = new WarmStarts({ home, python, isMemoryShort: () => false });
  try {
    const { executable } = interpreter;
    const around = { cwd, env, home, settings };
    const tried = await starts.try({
      interpreter: executable,
      cwd,
      env: await environmentInFront(startEnvironment(interpreter, { env, settings }), around, interpreter, {
        looksOnly: false,
      }),
    });
    if ("problem" in tried) return { isWarm: false, reason: tried.problem };
    const dropped = [...(await starts.dropped(cwd))].map(([module, why]) => ({ module, why }));
    return { isWarm: true, preloaded: tried.loaded, dropped };
  } catch (error) {
    return { isWarm: false, reason: (error as Error).message };
  } finally {
    await starts.close();
  }
}
