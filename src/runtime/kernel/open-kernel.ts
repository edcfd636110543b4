import type { Kernel } from "../../kernel/kernel.ts";
import type { Trace } from "../../kernel/trace.ts";
import type { Interpreter } from "../../python/interpreter.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { type LoadedSettings, loadSettings } from "../../settings/load-settings.ts";
import type { SettingsOverrides } from "../../settings/settings.ts";
import { deadlineAfter } from "../../support/deadline.ts";
import type { Environment } from "../../support/environment.ts";
import { kernelSite } from "../backend/choose-backend.ts";
import type { LoadBackend } from "../backend/load-backend.ts";
import type { HostVariables } from "./host-variables.ts";
import type { TraceContext } from "./ipc-trace.ts";
import { launchKernel } from "./launch-kernel.ts";

export interface OpenKernelOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  /** Exactly this Python, without a search. */
  readonly interpreter?: string | undefined;
  readonly overrides?: SettingsOverrides | undefined;
  readonly host?: HostVariables | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The connection file of a kernel that runs already. */
  readonly attach?: string | undefined;
  readonly loadBackend: LoadBackend;
  /** Where a person reads what the settings ask to be told: the stages of the start, and the trace. */
  readonly stderr: { write(text: string): unknown };
  readonly onInterpreter?: ((interpreter: Interpreter) => void) | undefined;
}

/** From a folder to a kernel, with the settings that hold there. */
export async function openKernel(options: OpenKernelOptions): Promise<Kernel> {
  const { cwd, env, host, extraEnv, stderr, attach } = options;
  const home = granaryHome(env);
  const settings = await loadSettings({ cwd, env, home, overrides: overridesOf(options) });
  const tell = (line: string): void => void stderr.write(line);
  const onStage = settings.values.debug.startup ? (await import("./start-stages.ts")).stageTeller(tell) : undefined;
  onStage?.("settings loaded");
  using deadline = deadlineAfter(settings.values.python.startSeconds * 1000, options.signal);
  return await launchKernel({
    cwd,
    env,
    home,
    settings,
    host,
    extraEnv,
    site: kernelSite(settings.values, { env, attach }),
    loadBackend: () => options.loadBackend(settings.values, { env, home, attach }),
    signal: deadline.signal,
    trace: await traceFor(settings, { env: { ...env, ...extraEnv }, bridge: host?.bridge, tell }),
    onStage,
    onInterpreter: options.onInterpreter,
    withShellSnapshot: true,
  });
}

/** Hardly anybody wants one, so it is loaded for those who do. */
async function traceFor(settings: LoadedSettings, context: TraceContext): Promise<Trace | undefined> {
  if (settings.values.python.ipcTrace === false) return undefined;
  const { openTrace } = await import("./ipc-trace.ts");
  return openTrace(settings, context);
}

/** Undefined when there are none, so that what reads them need not be loaded. */
function overridesOf({ interpreter, overrides }: OpenKernelOptions): SettingsOverrides | undefined {
  return interpreter === undefined ? overrides : { ...overrides, python: { ...overrides?.python, interpreter } };
}
