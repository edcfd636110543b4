import { resolve } from "node:path";
import type { HostTools } from "../kernel/host-call.ts";
import type { BackendName } from "../kernel/kernel.ts";
import type { ArtifactStore } from "../output/artifacts/artifact-store.ts";
import type { ExecutionCapture } from "../output/capture.ts";
import type { Cell, Execution } from "../session/execution/execution.ts";
import { Owners, Session } from "../session/session.ts";
import { type SessionKey, SessionPool } from "../session/session-pool.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { granaryHome } from "../settings/granary-home.ts";
import { loadSettings } from "../settings/load-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { checkText } from "../support/check-argument.ts";
import { availableMemory } from "../support/process/available-memory.ts";
import type { KernelSite } from "./backend/load-backend.ts";
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
 * const runtime = await createRuntime({ cwd: "project" });
 * const { output } = await runtime.session().run("6 * 7").result;
 * await runtime.close();
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkText(options.cwd, "cwd");
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
 * const runtime = await createRuntime();
 * const session = runtime.session("analysis", { cwd: "project" });
 */
export class Runtime implements AsyncDisposable {
  readonly settings: Settings;
  /** The default folder of sessions. */
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
    checkText(id, "the session's id");
    checkText(cwd, "cwd");
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
   * Lets Python code call these tools as `tool.name(…)`, in one session or in all; a session's own tools win. The returned
   * function removes them. On Jupyter kernels this applies to those that start from now on.
   */
  serveTools(tools: HostTools, { session }: { readonly session?: string | undefined } = {}): () => void {
    return this.#bridge.serve(tools, session ?? null);
  }

  /** The backend of kernels. */
  get backend(): BackendName {
    return this.#kernels.backend;
  }

  /** @internal The place of kernels: this machine, an external gateway, or a running kernel. */
  get site(): KernelSite {
    return this.#kernels.site;
  }

  /** @internal The inputs for a kernel of that session in that folder. */
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

  /** The running executions and the latest finished ones, the oldest first. */
  get executions(): readonly Execution[] {
    return this.#pool.executions.all;
  }

  execution(id: string): Execution | undefined {
    return this.#pool.executions.get(id);
  }

  /** @internal Work of a session that is no cell, such as a command; the caller settles it. */
  beginWork(id: string, cell: Cell, signal?: AbortSignal): Execution {
    return this.#pool.beginWork(id, cell, signal);
  }

  /** @internal Captures the output of a command of that session, within the budget; the rest goes into the session's artifacts. */
  createCapture(id: string, mostBytes?: number): ExecutionCapture {
    return this.#artifacts.capture(id, undefined, mostBytes);
  }

  /** @internal The artifacts of that session. */
  artifactsOf(id: string): ArtifactStore {
    return this.#artifacts.of(id);
  }

  /** The folder for lookups: `findArtifact(granary.artifactRoot, address)`. */
  get artifactRoot(): string {
    return this.#artifacts.root;
  }

  /** @internal The ids of the artifacts that this runtime has made; others in the same folder belong to other processes. */
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
  return `The session ${id} has one kernel per folder: this kernel is for ${now}; variables from ${before} are not available.`;
}
