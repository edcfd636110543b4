import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { shownUrl } from "../../../kernel/gateway/rest/gateway-address.ts";
import { type SharedGatewayStatus, sharedGateways } from "../../../kernel/gateway/shared/shared-gateway.ts";
import type { KernelBackend } from "../../../kernel/kernel.ts";
import { withheldNames } from "../../../python/environment/kernel-environment.ts";
import { type Survey, surveyInterpreters } from "../../../python/find/survey-interpreters.ts";
import { checkManagedEnvironment, type ManagedState } from "../../../python/managed/managed-check.ts";
import { hasExternalGateway } from "../../../runtime/backend/load-backend.ts";
import { externalGateway } from "../../../runtime/backend/load-gateway.ts";
import { interpreterSearch } from "../../../runtime/kernel/launch-kernel.ts";
import { allowedVariables } from "../../../runtime/kernel/start-environment.ts";
import type { LeftOut } from "../../../runtime/say-left-out.ts";
import { type FoundModules, findModules } from "../../../session/bootstrap/extension-modules.ts";
import { type DescribedSetting, describeSettings } from "../../../settings/describe-settings.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import type { LoadedSettings } from "../../../settings/load-settings.ts";
import { readableSettings, type SettingsProblem } from "../../../settings/readable-settings.ts";
import { isTrusted } from "../../../settings/trust/trusted-folders.ts";
import type { CommandContext } from "../command/command-context.ts";
import { type TerminalCapabilities, terminalCapabilities } from "../terminal/terminal-capabilities.ts";
import { type BackendState, tryBackend } from "./backend-state.ts";
import { type HubState, hubState } from "./hub-state.ts";
import { type Problem, problemsOf } from "./problems.ts";
import { type SandboxState, sandboxState } from "./sandbox-state.ts";
import { tryWarm, type WarmState } from "./warm-state.ts";

/** The document of `granary doctor --json`: the chosen Python and why, and problems. It contains no secret. */
export interface Diagnosis extends Findings {
  /** Whether Python cells can run. */
  readonly ok: boolean;
  /** Problems and their remedies, the worst first. */
  readonly problems: readonly Problem[];
}

export interface Findings {
  readonly cwd: string;
  /** Files of the folder that cells do not use, because the user does not trust the folder. */
  readonly leftOut: LeftOut;
  readonly python: Survey;
  readonly backends: readonly BackendState[];
  readonly warm: WarmState;
  /** The names of variables that code in a kernel does not see. */
  readonly withheld: readonly string[];
  /** The settings in force. When they cannot be read, those without the project's file, or the defaults: see `settingsError`. */
  readonly settings: readonly DescribedSetting[];
  readonly settingsError: SettingsProblem | null;
  /** Granary's own folder, and why it cannot be written, if so. */
  readonly home: { readonly path: string; readonly problem: string | null };
  readonly managedEnvironment: ManagedState;
  readonly gateway: GatewayState;
  readonly hub: HubState;
  readonly sandbox: SandboxState;
  readonly terminal: TerminalCapabilities;
}

export type GatewayState =
  | { readonly state: "external"; readonly url: string }
  /** The running gateways that Granary started on this machine. */
  | { readonly state: "shared"; readonly gateways: readonly SharedGatewayStatus[] }
  | { readonly state: "none" };

const backendNames: readonly KernelBackend["name"][] = ["runner", "gateway", "zmq"];

export interface DiagnoseOptions {
  readonly signal: AbortSignal;
  readonly interpreter?: string | undefined;
  /** Whether code of the folder may run: otherwise its files are read, and what they start is not tried. */
  readonly runs: boolean;
}

/** Checks everything that would be used. */
export async function diagnose(
  context: CommandContext,
  { signal, interpreter, runs: mayRun }: DiagnoseOptions,
): Promise<Diagnosis> {
  const { cwd, env } = context;
  const home = granaryHome(env);
  const { settings, settingsError } = await readableSettings({
    ...{ cwd, env, home },
    overrides: interpreter === undefined ? undefined : { python: { interpreter } },
  });
  // Nothing runs until the settings are corrected: they may ask for a sandbox.
  const runs = mayRun && settingsError === null;
  const [python, managedEnvironment, homeProblem, modules] = await Promise.all([
    surveyInterpreters({ ...interpreterSearch({ cwd, env, home, settings, signal }), looksOnly: !runs }),
    checkManagedEnvironment({ home, cwd, env, signal }),
    whyNotWritable(home),
    untrustedModules(settings, { cwd, home }),
  ]);
  const trial = { runs, interpreter: python.chosen, home, settings, context, signal };
  const [warm, ...backends] = await Promise.all([
    tryWarm(trial),
    ...backendNames.map((name) => tryBackend(name, trial)),
  ]);
  signal.throwIfAborted();
  const findings: Findings = {
    cwd,
    leftOut: {
      modules: modules.leftOut,
      settings: settings.leftOut,
      ofStrangers: [...settings.ofStrangers, ...modules.ofStrangers],
    },
    python,
    backends,
    warm,
    withheld: withheldNames(env, allowedVariables(settings)),
    settings: describeSettings(settings),
    settingsError,
    home: { path: home, problem: homeProblem },
    managedEnvironment,
    gateway: await gatewayState(settings, context, home),
    hub: await hubState(settings.values, context, homeProblem),
    sandbox: await sandboxState(settings, context, homeProblem),
    terminal: terminalCapabilities(context, settings.values.console.pictures),
  };
  const problems = problemsOf(findings);
  return { ok: !problems.some(({ severity }) => severity === "error"), problems, ...findings };
}

async function gatewayState({ values }: LoadedSettings, { env }: CommandContext, home: string): Promise<GatewayState> {
  if (hasExternalGateway(values, env)) {
    const address = await externalGateway(values, env).catch(() => null);
    return { state: "external", url: address === null ? String(env.JUPYTER_GATEWAY_URL) : shownUrl(address) };
  }
  const gateways = await sharedGateways(home);
  return gateways.length === 0 ? { state: "none" } : { state: "shared", gateways };
}

async function untrustedModules(
  { values }: LoadedSettings,
  { cwd, home }: { readonly cwd: string; readonly home: string },
): Promise<Pick<FoundModules, "leftOut" | "ofStrangers">> {
  const { projectModules } = values.python;
  return findModules({ home, cwd, projectModules, trustsFolder: () => isTrusted(cwd, home) }).catch(() => ({
    leftOut: [],
    ofStrangers: [],
  }));
}

/** The magic numbers of proc and sysfs on Linux: root may write there, as far as rights go, and cannot. */
const virtualDisks: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

/** Why a folder, which need not exist yet, cannot be written; null if it can. Checks without creating anything. */
async function whyNotWritable(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return virtualDisks.has((await statfs(folder)).type) ? `${folder} is made by the system, and takes no files` : null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    if (isMissing && dirname(folder) !== folder) return whyNotWritable(dirname(folder));
    return code === "EROFS" ? `${folder} is on a read-only disk` : `${folder} is not writable`;
  }
}
