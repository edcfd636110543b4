import type { Availability, KernelBackend } from "../../../kernel/kernel.ts";
import { findInterpreter, lacksJupyter } from "../../../python/find/find-interpreter.ts";
import { belongsToFolder, withoutFolderPrograms } from "../../../python/find/in-folder.ts";
import type { Interpreter } from "../../../python/interpreter.ts";
import { chooseBackend, kernelSite } from "../../../runtime/backend/load-backend.ts";
import { environmentInFront } from "../../../runtime/kernel/later-path.ts";
import { interpreterSearch, launchKernel } from "../../../runtime/kernel/launch-kernel.ts";
import { startEnvironment } from "../../../runtime/kernel/start-environment.ts";
import type { LoadedSettings } from "../../../settings/load-settings.ts";
import { deadlineAfter } from "../../../support/deadline.ts";
import type { CommandContext } from "../command/command-context.ts";

export interface BackendState {
  readonly name: KernelBackend["name"];
  /** Whether cells can run on it. */
  readonly isChosen: boolean;
  readonly availability: Availability | NotTried;
}

/** It would run code of the folder. */
interface NotTried {
  readonly available: null;
  readonly reason: string;
  readonly remedy: string;
}

/** Whether the Python of cells is a part of the folder, and was not started. */
export function isUntried(backends: readonly BackendState[]): boolean {
  return backends.find(({ isChosen }) => isChosen)?.availability.available === null;
}

/** A backend, or a warm Python, is tried with these. */
export interface Trial {
  /** Whether code of the folder may run. */
  readonly runs: boolean;
  readonly interpreter: Interpreter | null;
  readonly home: string;
  readonly settings: LoadedSettings;
  readonly context: CommandContext;
  readonly signal: AbortSignal;
}

/** Never rejects: a failure is the answer. */
export async function tryBackend(name: KernelBackend["name"], trial: Trial): Promise<BackendState> {
  const isChosen = chooseBackend(trial.settings.values, trial.context) === name;
  const tried = isChosen && trial.runs ? startForReal(trial) : probe(name, trial);
  const available = await tried.catch((error: Error) => ({
    available: false as const,
    reason: error.message,
    remedy: "",
  }));
  return { name, isChosen, availability: available };
}

const withoutPython: Availability = { available: false, reason: "There is no Python to run it.", remedy: "" };

/** Starts a kernel as a cell would: the modules that run at its start may fail. */
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

const notTried: NotTried = {
  available: null,
  reason: "Not tried, because its Python is a part of this folder.",
  remedy: "granary doctor --run tries it.",
};

const notInSandbox: NotTried = {
  available: null,
  reason: "Not tried, because python.sandbox is on: the trial would run Python outside of the sandbox.",
  remedy: "granary doctor --run starts Python in the sandbox.",
};

async function probe(name: KernelBackend["name"], trial: Trial): Promise<Availability | NotTried> {
  const { home, settings, context, signal, runs } = trial;
  const { env } = context;
  const interpreter = await interpreterFor(name, trial);
  const asked = { ...settings.values, python: { ...settings.values.python, backend: name } };
  const isHere = kernelSite(asked, { env }) === "here";
  if (interpreter === null && isHere) return withoutPython;
  if (settings.values.python.sandbox !== "off") return notInSandbox;
  if (!runs && isHere && interpreter !== null && (await belongsToFolder(interpreter, context))) return notTried;
  using deadline = deadlineAfter(asked.python.startSeconds * 1000, signal);
  const backend = await context.loadBackend(asked, { env, home });
  return await backend.probe({
    interpreter: interpreter?.executable ?? "",
    env: interpreter === null ? {} : await trialEnvironment(interpreter, trial),
    signal: deadline.signal,
  });
}

async function trialEnvironment(interpreter: Interpreter, { context, home, settings, runs }: Trial) {
  const env = runs ? context.env : (await withoutFolderPrograms(context)).env;
  const { cwd } = context;
  return environmentInFront(
    startEnvironment(interpreter, { env, settings }),
    { cwd, env, home, settings },
    interpreter,
    { looksOnly: !runs },
  );
}

/** Jupyter's backends may use Granary's own environment where cells run on a Python of PATH. */
async function interpreterFor(name: KernelBackend["name"], trial: Trial): Promise<Interpreter | null> {
  const { interpreter, context, home, settings, signal, runs } = trial;
  if (name === "runner" || interpreter === null || !lacksJupyter(interpreter)) return interpreter;
  const { cwd, env } = context;
  const search = interpreterSearch({ cwd, env, home, settings, signal, backend: name });
  return findInterpreter({ ...search, looksOnly: !runs }).catch(() => interpreter);
}
