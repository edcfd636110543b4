import type { Availability, KernelBackend } from "../../../kernel/kernel.ts";
import type { Interpreter } from "../../../python/interpreter.ts";
import { chooseBackend, kernelSite } from "../../../runtime/backend/load-backend.ts";
import { launchKernel } from "../../../runtime/kernel/launch-kernel.ts";
import { startEnvironment } from "../../../runtime/kernel/start-environment.ts";
import type { LoadedSettings } from "../../../settings/load-settings.ts";
import { deadlineAfter } from "../../../support/deadline.ts";
import type { CommandContext } from "../command/command-context.ts";

export interface BackendState {
  readonly name: KernelBackend["name"];
  /** Whether cells would run on it. */
  readonly isChosen: boolean;
  readonly availability: Availability;
}

interface Trial {
  readonly interpreter: Interpreter | null;
  readonly home: string;
  readonly settings: LoadedSettings;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

/** Never rejects: what does not work is what the doctor is asked about. */
export async function tryBackend(name: KernelBackend["name"], trial: Trial): Promise<BackendState> {
  const isChosen = chooseBackend(trial.settings.values, trial.context) === name;
  const available = await (isChosen ? startForReal(trial) : probe(name, trial)).catch((error: Error) => ({
    available: false as const,
    reason: error.message,
    remedy: "",
  }));
  return { name, isChosen, availability: available };
}

const withoutPython: Availability = { available: false, reason: "There is no Python to run it.", remedy: "" };

/** A kernel just as a cell would get it: the modules that run at its start may fail, too. */
async function startForReal({ interpreter, home, settings, context, signal }: Trial): Promise<Availability> {
  const { cwd, env } = context;
  const site = kernelSite(settings.values, { env });
  if (interpreter === null && site === "here") return withoutPython;
  using deadline = deadlineAfter(settings.values.python.startSeconds * 1000, signal);
  const loadBackend = () => context.loadBackend(settings.values, { env, home });
  const launch = { cwd, env, home, settings, site, loadBackend, signal: deadline.signal };
  await using kernel = await launchKernel({ ...launch, interpreter: interpreter ?? undefined });
  await kernel.ping(deadline.signal);
  return { available: true };
}

async function probe(name: KernelBackend["name"], trial: Trial): Promise<Availability> {
  const { interpreter, home, settings, context, signal } = trial;
  const { env } = context;
  const asked = { ...settings.values, python: { ...settings.values.python, backend: name } };
  const isHere = kernelSite(asked, { env }) === "here";
  if (interpreter === null && isHere) return withoutPython;
  using deadline = deadlineAfter(asked.python.startSeconds * 1000, signal);
  const backend = await context.loadBackend(asked, { env, home });
  return await backend.probe({
    interpreter: interpreter?.executable ?? "",
    env: interpreter === null ? {} : startEnvironment(interpreter, { env, settings }),
    signal: deadline.signal,
  });
}
