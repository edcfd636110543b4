import { resolve } from "node:path";
import type { HostTools } from "../kernel/host-call.ts";
import type { BackendName } from "../kernel/kernel.ts";
import type { ArtifactStore } from "../output/artifacts/artifact-store.ts";
import type { ExecutionCapture } from "../output/capture.ts";
import type { Execution } from "../session/execution/execution.ts";
import { Owners } from "../session/owners.ts";
import { Session } from "../session/session.ts";
import { type SessionKey, SessionPool } from "../session/session-pool.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { granaryHome } from "../settings/granary-home.ts";
import { loadSettings } from "../settings/load-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { availableMemory } from "../support/process/available-memory.ts";
import type { KernelSite } from "./backend/choose-backend.ts";
import { KernelSource } from "./kernel/kernel-source.ts";
import type { StartContext } from "./kernel/start-context.ts";
import type { RuntimeContext, RuntimeOptions, SessionChoices } from "./runtime-options.ts";
import { SessionArtifacts } from "./session-artifacts.ts";
import { ToolBridge } from "./tool-bridge.ts";
import { WarmStarts } from "./warm/warm-starts.ts";

/**
 * Loads the settings of a folder. Nothing is started before the first cell.
 *
 * @example
 * await using runtime = await createRuntime({ cwd: "project" });
 * const { output } = await runtime.session().run("6 * 7").result;
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { cwd = process.cwd(), env = process.env } = options;
  const home = granaryHome(env);
  const { settings: overrides, defaults } = options;
  const settings = await loadSettings({ cwd, env, home, overrides, defaults });
  return new Runtime(options, { cwd, env, home, settings });
}

/**
 * Everything of Granary in one process: settings, sessions, artifacts.
 *
 * @example
 * await using runtime = await createRuntime();
 * const session = runtime.session("analysis", { cwd: "project" });
 */
export class Runtime implements AsyncDisposable {
  readonly settings: Settings;
  /** The folder of sessions that name none. */
  readonly cwd: string;
  readonly #pool: SessionPool;
  readonly #owners = new Owners();
  readonly #bridge = new ToolBridge();
  readonly #artifacts: SessionArtifacts;
  readonly #warm: WarmStarts;
  readonly #kernels: KernelSource;
  /** The folder that each session id was last used with. */
  readonly #folders = new Map<string, string>();

  /** @internal */
  constructor(options: RuntimeOptions, context: RuntimeContext) {
    this.settings = context.settings.values;
    this.cwd = resolve(context.cwd);
    this.#artifacts = new SessionArtifacts(options, context);
    this.#warm = new WarmStarts({
      home: context.home,
      python: this.settings.python,
      isMemoryShort: () => isMemoryShort(this.settings.python.lowMemoryPercent),
    });
    this.#kernels = new KernelSource({
      options,
      context,
      bridge: this.#bridge,
      warm: this.#warm,
      artifactsFolder: (session) => this.#artifacts.of(session).folder,
    });
    const { python } = this.settings;
    this.#pool = new SessionPool({
      start: (key) => this.#kernels.starter(key),
      onHostCall: (key) => this.#bridge.dispatcher(key),
      createCapture: ({ id }, terminal) => this.#artifacts.capture(id, terminal),
      recover: () => this.#kernels.recover(),
      maxSessions: python.maxSessions,
      idleMs: python.idleMinutes === 0 ? Number.POSITIVE_INFINITY : python.idleMinutes * 60_000,
      isMemoryShort: () => {
        const isShort = this.site === "here" && isMemoryShort(python.lowMemoryPercent);
        if (isShort) this.#warm.letGo();
        return isShort;
      },
      sweepMs: python.sweepSeconds * 1000,
      heartbeatMs: python.heartbeatSeconds * 1000,
      startMs: python.startSeconds * 1000,
      crashRetry: python.crashRetry,
      kernelMode: python.kernelMode,
    });
  }

  /** The session of that name in that folder. Nothing is started before its first cell. */
  session(id = "main", { cwd, owner = "granary", kernel, notice: ask }: SessionChoices = {}): Session {
    const folder = resolve(this.cwd, cwd ?? ".");
    const session = this.#pool.session(this.#kernels.key(id, folder, kernel));
    const seen = this.#owners.add(session, owner);
    const before = this.#folders.get(id);
    this.#folders.set(id, folder);
    let notice = before === undefined || before === folder ? null : anotherFolder(id, before, folder);
    return new Session(session, {
      owner,
      seen,
      backgroundMs: this.settings.python.backgroundHours * 3_600_000,
      others: () => this.#owners.othersThan(owner, session),
      firstNotice: () => {
        const told = [notice, ask?.() ?? null].filter((sentence) => sentence !== null);
        notice = null;
        return told.length === 0 ? null : told.join(" ");
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

  /** What kernels run on. */
  get backend(): BackendName {
    return this.#kernels.backend;
  }

  /** Where kernels run: on this machine, behind somebody's gateway, or it is a kernel that runs already. */
  get site(): KernelSite {
    return this.#kernels.site;
  }

  /** @internal What a kernel of that session in that folder is started with. */
  startContext(id: string, cwd = this.cwd, kernel?: string): Promise<StartContext> {
    return this.#kernels.startContext(id, cwd, kernel);
  }

  /** @internal All sessions that were used, with or without a kernel. */
  get sessions(): readonly SharedSession[] {
    return this.#pool.sessions;
  }

  /** @internal The folder, interpreter and backend of a session of this runtime. */
  keyOf(session: SharedSession): SessionKey | undefined {
    return this.#pool.keyOf(session);
  }

  /** Those under way and the latest that are over, the oldest first. */
  get executions(): readonly Execution[] {
    return this.#pool.executions.all;
  }

  execution(id: string): Execution | undefined {
    return this.#pool.executions.get(id);
  }

  /** @internal Takes what a command of that session puts out, within the budget; the rest goes into the session's artifacts. */
  createCapture(id: string): ExecutionCapture {
    return this.#artifacts.capture(id);
  }

  /** @internal Where that session keeps what is too much for a result. */
  artifactsOf(id: string): ArtifactStore {
    return this.#artifacts.of(id);
  }

  /** Where artifacts are looked up: `findArtifact(granary.artifactRoot, address)`. */
  get artifactRoot(): string {
    return this.#artifacts.root;
  }

  /** @internal The ids of the artifacts that this runtime has made; others in the same folder are of other processes. */
  get ownArtifacts(): ReadonlySet<string> {
    return this.#artifacts.made;
  }

  /** Ends everything that was started. */
  async close(): Promise<void> {
    await this.#pool.close();
    await this.#warm.close();
    await this.#bridge.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function isMemoryShort(lowPercent: number): boolean {
  const available = lowPercent === 0 ? null : availableMemory();
  return available !== null && available * 100 < lowPercent;
}

function anotherFolder(id: string, before: string, now: string): string {
  return `The session ${id} has a kernel for each folder: this one is of ${now}, and variables made in ${before} are not here.`;
}
