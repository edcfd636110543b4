import { resolve } from "node:path";
import { KernelError } from "../../kernel/errors.ts";
import type { BackendName, Kernel } from "../../kernel/kernel.ts";
import type { Trace } from "../../kernel/trace.ts";
import { isWithin } from "../../sandbox/is-within.ts";
import type { Consent, KernelListener, StartKernel } from "../../session/kernel-life/succession.ts";
import { realFolder } from "../../session/real-folder.ts";
import type { SessionKey } from "../../session/session-pool.ts";
import { type LoadedSettings, loadSettings } from "../../settings/load-settings.ts";
import { type SettingName, type Settings, settingCalled, settingNames } from "../../settings/settings.ts";
import type { Environment } from "../../support/environment.ts";
import { realpath, stat } from "../../support/files/look.ts";
import type { GranaryError } from "../../support/granary-error.ts";
import { chooseBackend, type KernelSite, kernelSite, loadBackend } from "../backend/load-backend.ts";
import { beforeStart } from "../load-ahead.ts";
import type { RuntimeContext, RuntimeOptions } from "../runtime-options.ts";
import { isInReach, outOfReach, type SessionLimits, sessionLimits } from "../sandbox/session-limits.ts";
import type { SessionSandboxes } from "../sandbox/session-sandboxes.ts";
import type { BridgeOffer, ToolBridge } from "../tool-bridge.ts";
import type { WarmStarts } from "../warm/warm-starts.ts";
import { openTrace } from "./ipc-trace.ts";
import { launchKernel } from "./launch-kernel.ts";
import type { StartContext } from "./start-context.ts";

export interface KernelSourceParts {
  readonly options: RuntimeOptions;
  readonly context: RuntimeContext;
  readonly bridge: ToolBridge;
  /** The source of forked kernels; without it, each kernel starts a Python. */
  readonly warm?: WarmStarts | undefined;
  /** The artifacts of a session; a kernel by itself has none. */
  readonly artifactsFolder?: ((session: string) => string) | undefined;
}

/** Of these, a session's key has what they chose. */
const programSettings = ["python.interpreter", "python.kernel", "python.backend", "python.gatewayUrl"] as const;

/** A backend needs it in some cases only. */
function mayNeedTrust(name: SettingName): boolean {
  return settingCalled(name).needsTrust === true || name === "python.backend";
}

/** The source of kernels for sessions: which backend, with which settings, in which folder. */
export class KernelSource {
  readonly #parts: KernelSourceParts;
  readonly #settings: Settings;
  readonly #onStage: ((stage: string) => void) | undefined;
  readonly #trace: Trace | undefined;
  /** The limits of all its sessions; null for none. Found once, because code in a sandbox may put links into folders. */
  readonly limits: SessionLimits | null;
  /** The same as text. */
  readonly #limits: string | undefined;
  /** Set if code may have led the folder of a sandbox elsewhere: nothing may start then. */
  readonly #astray: GranaryError | undefined;
  /** Whether the settings have some of the folder that need trust. */
  readonly #neededTrust: boolean;

  constructor(parts: KernelSourceParts) {
    const { options, context } = parts;
    this.#parts = parts;
    this.#settings = context.settings.values;
    const { origins } = context.settings;
    this.#neededTrust = settingNames.some((name) => mayNeedTrust(name) && origins[name].from === "project-file");
    const cwd = resolve(context.cwd);
    const { base, astray } = context.findFolder?.(cwd) ?? { base: cwd };
    this.#astray = this.#settings.python.sandbox === "off" ? undefined : astray;
    this.limits = limitsOf(this.#settings, cwd, base, context.env);
    this.#limits = this.limits === null ? undefined : JSON.stringify(this.limits);
    const tell = (line: string): void => void (options.stderr ?? process.stderr).write(line);
    this.#onStage = this.#settings.debug.startup ? stageTeller(tell) : undefined;
    this.#onStage?.("settings loaded");
    if (this.#settings.python.ipcTrace === false) return;
    this.#trace = openTrace(context, { env: options.extraEnv ?? {}, bridge: options.host?.bridge, tell });
  }

  get backend(): BackendName {
    return chooseBackend(this.#settings, this.#wish);
  }

  get site(): KernelSite {
    return kernelSite(this.#settings, this.#wish);
  }

  /** Throws where a sandbox does not reach a folder, which has no links in it: no session may be there. */
  requireInReach(folder: string): void {
    const { limits } = this;
    if (limits !== null && !isInReach(limits, folder)) throw outOfReach(folder, [limits.base, ...limits.write]);
  }

  /** A session elsewhere, which only the program that made the runtime can have chosen, has a sandbox for its own folder. */
  #limitsFor(cwd: string): string | undefined {
    const { limits } = this;
    const isOwn = limits === null || isInReach(limits, cwd) || isWithin(resolve(this.#parts.context.cwd), cwd);
    return isOwn ? this.#limits : JSON.stringify({ ...limits, base: cwd });
  }

  key(id: string, cwd: string, kernelspec: string | undefined): SessionKey {
    const wished = this.#wished(kernelspec);
    const { interpreter, kernel } = wished.python;
    const backend = chooseBackend(wished, this.#wish);
    const named = kernel === null ? backend : `${backend} ${kernel}`;
    const { origins } = this.#parts.context.settings;
    const isByFolder = programSettings.some((name) => origins[name].from === "project-file");
    return { id, cwd, interpreter, backend: named, kernelspec, limits: this.#limitsFor(cwd), isByFolder };
  }

  /** @param consent of the client that Python starts for, where that may be another one than that of this runtime */
  async startContext(id: string, cwd: string, kernel?: string, consent?: Consent): Promise<StartContext> {
    const { env, home, top } = this.#parts.context;
    const { host, extraEnv, attach } = this.#parts.options;
    const load = this.#parts.options.loadBackend ?? loadBackend;
    if (this.#astray !== undefined) throw this.#astray;
    await requireOtherFolder(cwd, home);
    const own = await this.#ownSettings(consent);
    const wished = this.#wished(kernel, own.values);
    return {
      cwd,
      top,
      base: this.#base,
      isConfined: this.#settings.python.sandbox !== "off",
      mayLeave: this.#parts.options.sessions === undefined,
      env,
      home,
      extraEnv,
      settings: this.#isOurFolder(cwd) ? own : await this.#settingsIn(cwd, consent),
      sandboxes: () => this.#loadSandboxes(),
      backend: chooseBackend(wished, this.#wish),
      site: kernelSite(wished, this.#wish),
      host: { artifactsFolder: this.#parts.artifactsFolder?.(id), ...host },
      loadBackend: (keepAs) => load(wished, { env, home, attach, keepAs, warm: this.#parts.warm }),
    };
  }

  starter(key: SessionKey): StartKernel {
    const { id, cwd, kernelspec } = key;
    const { onInterpreter, kernels, requireCwd = false, inheritsStdin } = this.#parts.options;
    const name = JSON.stringify([id, cwd]);
    let anew = kernels === "fresh";
    const check = async (consent?: Consent): Promise<void> => {
      if (key.isByFolder && consent !== undefined) await this.#requireOwnPrograms(id, consent);
    };
    const start: StartKernel = async (signal, givenListener, consent) => {
      const keepAs = kernels === undefined ? undefined : { name, anew };
      // A second kernel is needed because the first is broken, or its variables should be gone.
      anew = true;
      const startContext = await this.startContext(id, cwd, kernelspec, consent);
      await check(consent);
      await beforeStart(() => startContext.loadBackend(keepAs));
      if (startContext.site === "here") await requireFolder(cwd);
      const listener = givenListener && (await this.#withFittingTools(givenListener, key, startContext));
      const launch = async (bridge: BridgeOffer) =>
        launchKernel({
          ...startContext,
          listener,
          bridge,
          // A folder other than the runtime's was chosen by the caller, so it must exist, also on a remote machine.
          requireCwd: requireCwd || !this.#isOurFolder(cwd),
          inheritsStdin,
          trust: await this.trustIn(cwd, consent),
          onInterpreter,
          onImports: this.#parts.warm?.listener(cwd),
          loadBackend: () => startContext.loadBackend(keepAs),
          signal,
          trace: this.#trace,
          onStage: this.#onStage,
          withShellSnapshot: true,
        });
      return this.#noted(await this.#parts.bridge.launch(key, { site: startContext.site, listener }, launch));
    };
    return Object.assign(start, { check });
  }

  /** The limits of a session in that folder, whose own settings may ask for more than those of the runtime. */
  async limitsIn(cwd: string): Promise<SessionLimits | null> {
    return this.#limitsBy(await this.#settingsIn(cwd), cwd);
  }

  #limitsBy({ values }: LoadedSettings, cwd: string): SessionLimits | null {
    const isConfined = this.#settings.python.sandbox !== "off";
    const folder = isConfined ? resolve(this.#parts.context.cwd) : cwd;
    return limitsOf(values, folder, isConfined ? this.#base : realFolder(cwd), this.#parts.context.env);
  }

  /** The folder of the runtime, in a sandbox as it was found first. */
  get #base(): string {
    return this.limits?.base ?? resolve(this.#parts.context.cwd);
  }

  async #withFittingTools(
    listener: KernelListener,
    { cwd, limits }: SessionKey,
    { settings }: StartContext,
  ): Promise<KernelListener> {
    const isTighter = JSON.stringify(this.#limitsBy(settings, cwd)) !== JSON.stringify(this.limits);
    if (!isTighter && limits === this.#limits) return listener;
    const { withoutTools } = await import("../sandbox/tighter-folder.ts");
    return withoutTools(listener, cwd);
  }

  /** Kernels of the gateway share the gateway, which may itself be out of file descriptors. */
  async recover(): Promise<void> {
    const isShared = this.backend === "gateway" && this.site === "here";
    if (!isShared) return;
    const { stopUnusedGateways } = await import("../../kernel/gateway/shared/shared-gateway.ts");
    await stopUnusedGateways(this.#parts.context.home);
  }

  /** Removes the private files of sandboxes, once no kernel uses them: kernels of the hub outlive the client that started them. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#closeUnusedSandboxes();
  }

  #sandboxes: Promise<SessionSandboxes> | undefined;
  readonly #living = new Set<Kernel>();
  #isClosed = false;

  #noted(kernel: Kernel): Kernel {
    this.#living.add(kernel);
    void kernel.exited.then(() => {
      this.#living.delete(kernel);
      return this.#closeUnusedSandboxes();
    });
    return kernel;
  }

  async #closeUnusedSandboxes(): Promise<void> {
    if (!this.#isClosed || this.#living.size > 0) return;
    const unused = this.#sandboxes;
    // The session may start another kernel, which needs new ones.
    this.#sandboxes = undefined;
    await (await unused)?.close();
  }

  /** Only when the first kernel or command needs one. */
  #loadSandboxes(): Promise<SessionSandboxes> {
    this.#sandboxes ??= import("../sandbox/session-sandboxes.ts").then(
      ({ SessionSandboxes }) => new SessionSandboxes(),
    );
    return this.#sandboxes;
  }

  get #wish() {
    return { env: this.#parts.context.env, attach: this.#parts.options.attach };
  }

  /** The settings, with another kernelspec if one is requested. */
  #wished(kernel: string | undefined, settings = this.#settings): Settings {
    return kernel === undefined ? settings : { ...settings, python: { ...settings.python, kernel } };
  }

  #isOurFolder(folder: string): boolean {
    return [resolve(this.#parts.context.cwd), this.limits?.base].includes(folder);
  }

  /** The option is about the runtime's own folder. Code in a sandbox may have written the settings of the other folders that it reaches. */
  async #ownTrustIn(folder: string): Promise<boolean | undefined> {
    const { trust } = this.#parts.options;
    if (this.#isOurFolder(folder)) return trust;
    if (this.limits !== null && this.limits.base !== null && isInReach(this.limits, folder)) return false;
    if (trust !== true) return trust;
    const { consentIn } = await import("../../settings/trust/trusted-folders.ts");
    const { cwd, home } = this.#parts.context;
    return consentIn(folder, cwd, trust, home);
  }

  /** As this runtime and the client that Python starts for both want it: the stricter word counts. */
  async trustIn(folder: string, consent?: Consent): Promise<boolean | undefined> {
    const own = await this.#ownTrustIn(folder);
    const theirs = consent === undefined ? own : await consent(folder);
    if (own === false || theirs === false) return false;
    return own === true ? theirs : own;
  }

  /** The runtime's own: loaded once, but the user may have taken back the trust that they needed, or another client lacks it. */
  async #ownSettings(consent?: Consent): Promise<LoadedSettings> {
    const { cwd, home, settings } = this.#parts.context;
    if (!this.#neededTrust) return settings;
    const trust = await this.trustIn(resolve(cwd), consent);
    if (trust === true) return settings;
    const { isTrusted } = await import("../../settings/trust/trusted-folders.ts");
    return trust === undefined && (await isTrusted(cwd, home)) ? settings : this.#load(cwd, false);
  }

  /** Another client's session must not continue with another program than the one that its own client chose. */
  async #requireOwnPrograms(id: string, consent: Consent): Promise<void> {
    const [own, theirs] = await Promise.all([this.#ownSettings(), this.#ownSettings(consent)]);
    const isMissing = programSettings.some((name) => theirs.leftOut.includes(name) && !own.leftOut.includes(name));
    if (!isMissing) return;
    const { startsByFolder } = await import("../joined-session.ts");
    throw startsByFolder(id, resolve(this.#parts.context.cwd));
  }

  /** Python and its environment may differ from folder to folder. Code may have chosen the folder, and keeps its limits there. */
  async #settingsIn(folder: string, consent?: Consent): Promise<LoadedSettings> {
    if (this.#isOurFolder(folder)) return this.#ownSettings(consent);
    return this.#load(folder, await this.trustIn(folder, consent));
  }

  #load(folder: string, trust: boolean | undefined): Promise<LoadedSettings> {
    const { env, home, settings, top } = this.#parts.context;
    const { settings: overrides, defaults } = this.#parts.options;
    return loadSettings({ cwd: folder, top, env, home, overrides, defaults, atLeast: settings, trust });
  }
}

/** Most folders are none that a sandbox could have made for itself. */
async function requireOtherFolder(cwd: string, home: string): Promise<void> {
  const real = await realpath(cwd).catch(() => cwd);
  if (!/\/(?:granary-)?sandbox(?:$|[-/])/.test(real)) return;
  const { requireNoSandboxFiles } = await import("../sandbox/own-folder.ts");
  requireNoSandboxFiles(cwd, real, home);
}

async function requireFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (found?.isDirectory()) return;
  const problem = found === null ? "does not exist" : "is not a folder";
  throw new KernelError("no-folder", `The working folder ${cwd} ${problem}. Create it, or name another.`);
}

/** Reports the stages of a start with the time since the process began and since the stage before, for `debug.startup`. */
function stageTeller(write: (line: string) => void): (stage: string) => void {
  let before = 0;
  return (stage) => {
    const now = performance.now();
    write(`startup ${now.toFixed(1)} ms (+${(now - before).toFixed(1)}) ${stage}\n`);
    before = now;
  };
}

function limitsOf({ python }: Settings, cwd: string, base: string, env: Environment): SessionLimits | null {
  const isUnlimited = python.sandbox === "off" && python.launcher.length === 0;
  return isUnlimited ? null : sessionLimits(python, cwd, base, env);
}
