import type { Availability, KernelBackend } from "../../kernel/kernel.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { launchKernel } from "../../runtime/launch-kernel.ts";
import { chooseBackend } from "../../runtime/load-backend.ts";
import { startEnvironment } from "../../runtime/start-environment.ts";
import type { LoadedSettings } from "../../settings/load-settings.ts";
import { deadlineAfter } from "../../support/deadline.ts";
import type { Surroundings } from "./surroundings.ts";

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
  readonly surroundings: Surroundings;
  readonly signal: AbortSignal;
}

/** Never rejects: what does not work is what the doctor is asked about. */
export async function tryBackend(name: KernelBackend["name"], trial: Trial): Promise<BackendState> {
  const isChosen = chooseBackend(trial.settings.values) === name;
  const available = await (isChosen ? startForReal(trial) : probe(name, trial)).catch((error: Error) => ({
    available: false as const,
    reason: error.message,
    remedy: "",
  }));
  return { name, isChosen, availability: available };
}

const withoutPython: Availability = { available: false, reason: "There is no Python to run it.", remedy: "" };

/** A kernel just as a cell would get it: the modules that run at its start may fail, too. */
async function startForReal({ interpreter, home, settings, surroundings, signal }: Trial): Promise<Availability> {
  if (interpreter === null) return withoutPython;
  const { cwd, env } = surroundings;
  using deadline = deadlineAfter(settings.values.python.startSeconds * 1000, signal);
  const loadBackend = () => surroundings.loadBackend(settings.values);
  const launch = { cwd, env, home, settings, interpreter, loadBackend, signal: deadline.signal };
  await using kernel = await launchKernel(launch);
  await kernel.ping(deadline.signal);
  return { available: true };
}

async function probe(name: KernelBackend["name"], trial: Trial): Promise<Availability> {
  const { interpreter, settings, surroundings, signal } = trial;
  if (interpreter === null) return withoutPython;
  const { python } = settings.values;
  using deadline = deadlineAfter(python.startSeconds * 1000, signal);
  const backend = await surroundings.loadBackend({ ...settings.values, python: { ...python, backend: name } });
  return await backend.probe({
    interpreter: interpreter.executable,
    env: startEnvironment(interpreter, { env: surroundings.env, settings }),
    signal: deadline.signal,
  });
}
