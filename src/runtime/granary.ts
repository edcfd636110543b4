import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { KernelError } from "../kernel/errors.ts";
import type { MimeBundle } from "../kernel/events.ts";
import type { HostTools } from "../kernel/host-call.ts";
import type { Trace } from "../kernel/trace.ts";
import { type ArtifactStore, artifactRoot, openArtifactStore } from "../output/artifacts/artifact-store.ts";
import { ExecutionCapture } from "../output/capture.ts";
import type { Environment, Interpreter } from "../python/interpreter.ts";
import type { Execution } from "../session/execution.ts";
import { Lease } from "../session/lease.ts";
import { Owners } from "../session/owners.ts";
import type { Session } from "../session/session.ts";
import { type SessionKey, SessionPool } from "../session/session-pool.ts";
import type { StartKernel } from "../session/start-in-time.ts";
import { granaryHome } from "../settings/granary-home.ts";
import { type LoadedSettings, loadSettings } from "../settings/load-settings.ts";
import type { Settings, SettingsOverrides } from "../settings/settings.ts";
import { type BackendName, chooseBackend, type KernelSite, kernelSite } from "./choose-backend.ts";
import type { HostVariables } from "./host-variables.ts";
import { openTrace } from "./ipc-trace.ts";
import { launchKernel } from "./launch-kernel.ts";
import { type LoadBackend, loadBackend } from "./load-backend.ts";
import type { Premises } from "./premises.ts";
import { stageTeller } from "./start-stages.ts";
import { type BridgeOffer, ToolBridge } from "./tool-bridge.ts";

export interface RuntimeOptions {
  /** The folder of sessions that name none; the process's own by default. */
  readonly cwd?: string | undefined;
  /** Whether kernels behind somebody's gateway have to be in `cwd`; otherwise they enter it if it exists there. */
  readonly insistsOnFolder?: boolean | undefined;
  /** The environment Python is looked for in; code in a kernel sees a part of it. The process's own by default. */
  readonly env?: Environment | undefined;
  /** More variables for code in kernels, as they are. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  /** Settings that win over files and variables. */
  readonly settings?: SettingsOverrides | undefined;
  readonly host?: HostVariables | undefined;
  /** Where artifacts go, instead of a folder of Granary's own. */
  readonly artifactsFolder?: string | undefined;
  /** For hosts that can attach no pictures: puts those of a bundle somewhere, and says where. */
  readonly placePictures?: ((data: MimeBundle) => Promise<string | null>) | undefined;
  /** Whether a cell that took its kernel down may be run again when nobody has set `python.crashRetry`; yes by default. */
  readonly retriesCrashes?: boolean | undefined;
  /** A kernel that runs already, by Jupyter's connection file, for all sessions; closing only lets go of it. */
  readonly attach?: string | undefined;
  /**
   * Whether kernels on the gateway that is shared on this machine stay when this runtime closes, so that a session of the
   * same name and folder goes on with them in a later process. They are ended when nobody comes for `python.idleMinutes`.
   * `anew`: what an earlier process has kept is ended first.
   */
  readonly keepsKernels?: boolean | "anew" | undefined;
  readonly loadBackend?: LoadBackend | undefined;
  readonly onInterpreter?: ((interpreter: Interpreter) => void) | undefined;
  readonly stderr?: { write(text: string): unknown } | undefined;
}

export interface SessionChoices {
  readonly cwd?: string | undefined;
  /** Whoever holds the session; the same owner may ask for it as often as it likes. */
  readonly owner?: string | undefined;
  /** The name of a Jupyter kernelspec, instead of the one that the settings name. Each has a kernel of its own. */
  readonly kernel?: string | undefined;
}

/** `await using granary = await createRuntime({ cwd })` */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Granary> {
  const { cwd = process.cwd(), env = process.env } = options;
  const home = granaryHome(env);
  const settings = await loadSettings({ cwd, env, home, overrides: options.settings });
  return new Granary(options, { cwd, env, home, settings });
}

interface Surroundings {
  readonly cwd: string;
  readonly env: Environment;
  readonly home: string;
  readonly settings: LoadedSettings;
}

/** Everything of Granary in one process: settings, sessions, artifacts. */
export class Granary implements AsyncDisposable {
  readonly settings: Settings;
  readonly #options: RuntimeOptions;
  readonly #surroundings: Surroundings;
  readonly #pool: SessionPool;
  readonly #owners = new Owners();
  readonly #bridge = new ToolBridge();
  readonly #stores = new Map<string, ArtifactStore>();
  /** The folder that each session id was last used with. */
  readonly #folders = new Map<string, string>();
  readonly #tell: (line: string) => void;
  readonly #onStage: ((stage: string) => void) | undefined;
  readonly #trace: Trace | undefined;

  constructor(options: RuntimeOptions, surroundings: Surroundings) {
    this.#options = options;
    this.#surroundings = surroundings;
    this.settings = surroundings.settings.values;
    this.#tell = (line) => void (options.stderr ?? process.stderr).write(line);
    this.#onStage = this.settings.debug.startup ? stageTeller(this.#tell) : undefined;
    this.#onStage?.("settings loaded");
    this.#trace = openTrace(surroundings.settings, {
      env: { ...surroundings.env, ...options.extraEnv },
      bridge: options.host?.bridge,
      tell: this.#tell,
    });
    const { python } = this.settings;
    this.#pool = new SessionPool({
      start: (key) => this.#starter(key),
      onHostCall: (key) => this.#bridge.desk(key),
      createCapture: ({ id }) => this.#capture(id),
      recover: () => this.#recover(),
      maxSessions: python.maxSessions,
      idleMs: python.idleMinutes === 0 ? Number.POSITIVE_INFINITY : python.idleMinutes * 60_000,
      sweepMs: python.sweepSeconds * 1000,
      heartbeatMs: python.heartbeatSeconds * 1000,
      startMs: python.startSeconds * 1000,
      crashRetry: this.#mayRetry ? python.crashRetry : "never",
      kernelMode: python.kernelMode,
    });
  }

  /** The session of that name in that folder. Nothing is started before its first cell. */
  session(id = "main", { cwd, owner = "granary", kernel }: SessionChoices = {}): Lease {
    const folder = resolve(this.#surroundings.cwd, cwd ?? ".");
    const session = this.#pool.session(this.#key(id, folder, kernel));
    const witness = this.#owners.add(session, owner);
    const before = this.#folders.get(id);
    this.#folders.set(id, folder);
    let notice = before === undefined || before === folder ? null : anotherFolder(id, before, folder);
    return new Lease(session, {
      owner,
      witness,
      backgroundMs: this.settings.python.backgroundHours * 3_600_000,
      others: () => this.#owners.othersThan(owner, session),
      firstNotice: () => {
        const told = notice;
        notice = null;
        return told;
      },
      leave: async () => {
        if (this.#owners.remove(session, owner)) await this.#pool.remove(session);
      },
    });
  }

  /**
   * Lets Python code call these tools as `tool.name(…)`, in one session or in all; a session's own win. What it returns
   * takes them back. On Jupyter kernels it holds for those that start from now on.
   */
  serveTools(tools: HostTools, { session }: { readonly session?: string | undefined } = {}): () => void {
    return this.#bridge.serve(tools, session ?? null);
  }

  /** The folder of sessions that name none. */
  get cwd(): string {
    return resolve(this.#surroundings.cwd);
  }

  /** What kernels run on. */
  get backend(): BackendName {
    return chooseBackend(this.settings, this.#wish);
  }

  /** Where kernels run: on this machine, behind somebody's gateway, or it is a kernel that runs already. */
  get site(): KernelSite {
    return kernelSite(this.settings, this.#wish);
  }

  /** All sessions that were used, with or without a kernel. */
  get sessions(): readonly Session[] {
    return this.#pool.sessions;
  }

  /** The folder, interpreter and backend of a session of this runtime. */
  keyOf(session: Session): SessionKey | undefined {
    return this.#pool.keyOf(session);
  }

  /** Those under way and the latest that are over, the oldest first. */
  get executions(): readonly Execution[] {
    return this.#pool.executions.all;
  }

  execution(id: string): Execution | undefined {
    return this.#pool.executions.get(id);
  }

  /** What a kernel of that session in that folder is started with. */
  async premises(id: string, cwd = this.cwd, kernel?: string): Promise<Premises> {
    const { env, home } = this.#surroundings;
    const { host, extraEnv, attach } = this.#options;
    const load = this.#options.loadBackend ?? loadBackend;
    const wished = this.#wished(kernel);
    return {
      cwd,
      env,
      home,
      extraEnv,
      settings: await this.#settingsIn(cwd),
      site: kernelSite(wished, this.#wish),
      host: { artifactsFolder: this.#store(id).folder, ...host },
      loadBackend: (keepAs) => load(wished, { env, home, attach, keepAs }),
    };
  }

  /** Takes what a command of that session puts out, within the budget; the rest goes into the session's artifacts. */
  createCapture(id: string): ExecutionCapture {
    return this.#capture(id);
  }

  /** Where that session keeps what is too much for a result. */
  artifactsOf(id: string): ArtifactStore {
    return this.#store(id);
  }

  /** Where artifacts are looked up: `findArtifact(granary.artifactRoot, address)`. */
  get artifactRoot(): string {
    return this.#options.artifactsFolder ?? artifactRoot(this.#surroundings.home);
  }

  /** Ends everything that was started. */
  async close(): Promise<void> {
    await this.#pool.close();
    await this.#bridge.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  get #mayRetry(): boolean {
    const isSet = this.#surroundings.settings.origins["python.crashRetry"].from !== "default";
    return isSet || this.#options.retriesCrashes !== false;
  }

  #key(id: string, cwd: string, kernelspec: string | undefined): SessionKey {
    const wished = this.#wished(kernelspec);
    const { interpreter, kernel } = wished.python;
    const backend = chooseBackend(wished, this.#wish);
    return { id, cwd, interpreter, backend: kernel === null ? backend : `${backend} ${kernel}`, kernelspec };
  }

  /** The settings, with another kernelspec if one is wished for. */
  #wished(kernel: string | undefined): Settings {
    return kernel === undefined ? this.settings : { ...this.settings, python: { ...this.settings.python, kernel } };
  }

  get #wish() {
    return { env: this.#surroundings.env, attach: this.#options.attach };
  }

  /** What kernels of the gateway share is the gateway, which may be out of file descriptors itself. */
  async #recover(): Promise<void> {
    const isShared = chooseBackend(this.settings, this.#wish) === "gateway" && this.site === "here";
    if (!isShared) return;
    const { stopUnusedGateways } = await import("../kernel/gateway/shared-gateway.ts");
    await stopUnusedGateways(this.#surroundings.home);
  }

  #starter(key: SessionKey): StartKernel {
    const { id, cwd, kernelspec } = key;
    const { onInterpreter, keepsKernels, insistsOnFolder = false } = this.#options;
    const name = JSON.stringify([id, cwd]);
    let anew = keepsKernels === "anew";
    return async (signal, ears) => {
      const keepAs = keepsKernels ? { name, anew } : undefined;
      // A second kernel is wanted because there is something wrong with the first, or its variables should be gone.
      anew = true;
      const premises = await this.premises(id, cwd, kernelspec);
      if (premises.site === "here") await requireFolder(cwd);
      const launch = (bridge: BridgeOffer) =>
        launchKernel({
          ...premises,
          ears,
          bridge,
          // Another than the runtime's is somebody's choice, also on a machine that we cannot see.
          insistsOnFolder: insistsOnFolder || cwd !== this.cwd,
          onInterpreter,
          loadBackend: () => premises.loadBackend(keepAs),
          signal,
          trace: this.#trace,
          onStage: this.#onStage,
          withShellSnapshot: true,
        });
      return this.#bridge.launch(key, { site: premises.site, ears }, launch);
    };
  }

  /** Which Python and what it sees may differ from folder to folder. */
  async #settingsIn(folder: string): Promise<LoadedSettings> {
    const { env, home, settings } = this.#surroundings;
    return folder === this.cwd ? settings : loadSettings({ cwd: folder, env, home, overrides: this.#options.settings });
  }

  #capture(id: string): ExecutionCapture {
    const { budgetBytes, headBytes, maxLines, maxLineBytes } = this.settings.output;
    return new ExecutionCapture({
      budget: { bytes: budgetBytes, headBytes, lines: maxLines, lineBytes: maxLineBytes },
      artifacts: this.#store(id),
      placePictures: this.#options.placePictures,
    });
  }

  #store(id: string): ArtifactStore {
    const existing = this.#stores.get(id);
    if (existing !== undefined) return existing;
    const { maxMegabytes, keepDays } = this.settings.artifacts;
    const store = openArtifactStore({
      root: artifactRoot(this.#surroundings.home),
      folder: this.#options.artifactsFolder,
      session: id,
      maxBytes: maxMegabytes * 1_000_000,
      keepDays,
    });
    this.#stores.set(id, store);
    return store;
  }
}

async function requireFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (found?.isDirectory()) return;
  const problem = found === null ? "does not exist" : "is not a folder";
  throw new KernelError("start-failed", `The working folder ${cwd} ${problem}. Create it, or name another.`);
}

function anotherFolder(id: string, before: string, now: string): string {
  return `The session ${id} has a kernel for each folder: this one is of ${now}, and variables made in ${before} are not here.`;
}
