import { resolve } from "node:path";
import type { HostTools } from "../kernel/host-call.ts";
import type { BackendName } from "../kernel/kernel.ts";
import type { ArtifactStore } from "../output/artifacts/artifact-store.ts";
import type { ExecutionCapture } from "../output/execution-capture.ts";
import { isSamePython } from "../python/find/same-python.ts";
import type { Cell, Execution } from "../session/execution/execution.ts";
import type { LocalSession } from "../session/local-session.ts";
import { realFolder } from "../session/real-folder.ts";
import { Owners, type SaveRoots, Session } from "../session/session.ts";
import { type SessionKey, SessionPool, sessionNameOf } from "../session/session-pool.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { granaryHome } from "../settings/granary-home.ts";
import type { Settings } from "../settings/settings.ts";
import { checkText } from "../support/check-argument.ts";
import type { Environment } from "../support/environment.ts";
import { GranaryError } from "../support/granary-error.ts";
import { isMemoryShort } from "../support/process/available-memory.ts";
import type { KernelSite } from "./backend/load-backend.ts";
import { type JoinWish, joinedKey, sayJoinedSandbox } from "./joined-session.ts";
import { KernelSource } from "./kernel/kernel-source.ts";
import type { StartContext } from "./kernel/start-context.ts";
import type { Runtime } from "./runtime.ts";
import type { RuntimeContext, RuntimeOptions, SessionChoices } from "./runtime-options.ts";
import { SessionsInReach } from "./sandbox/sessions-in-reach.ts";
import { SessionArtifacts } from "./session-artifacts.ts";
import type { SessionSource, SharedSessions } from "./shared-sessions.ts";
import { ToolBridge } from "./tool-bridge.ts";
import { WarmStarts } from "./warm/warm-starts.ts";

/** A runtime whose sessions are in this process. */
export class LocalRuntime implements Runtime {
  readonly settings: Settings;
  readonly cwd: string;
  readonly #pool: SessionPool;
  readonly #owners: Owners;
  /** Null for sessions of this runtime alone. */
  readonly #sessions: SharedSessions | null;
  readonly #bridge = new ToolBridge();
  readonly #artifacts: SessionArtifacts;
  readonly #warm: WarmStarts;
  readonly #kernels: KernelSource;
  /** The folder that each session id was last used with. */
  readonly #folders = new Map<string, string>();
  /** Null where all sessions may be seen. */
  readonly #reach: SessionsInReach | null;
  readonly #source: SessionSource;
  readonly #chosen: Pick<JoinWish, "choosesBackend" | "refusesSandbox">;
  /** Whether the own folder's settings name programs, and this client does not trust the folder. */
  readonly #leavesOut: boolean;
  readonly env: Environment;

  readonly #findFolder: RuntimeContext["findFolder"];

  constructor(options: RuntimeOptions, context: RuntimeContext) {
    this.settings = context.settings.values;
    this.#sessions = options.sessions ?? null;
    const { origins } = context.settings;
    const backends = [origins["python.backend"], origins["python.kernel"]];
    this.#chosen = {
      choosesBackend: backends.some(({ from }) => from !== "default"),
      refusesSandbox: this.settings.python.sandbox === "off" && origins["python.sandbox"].from === "call",
    };
    this.#leavesOut = context.settings.leftOut.length > 0;
    this.#owners = this.#sessions?.owners ?? new Owners();
    this.env = context.env;
    this.#findFolder = context.findFolder;
    this.#artifacts = new SessionArtifacts(options, context);
    const { python } = this.settings;
    const warmStarts = (): WarmStarts =>
      new WarmStarts({
        home: context.home,
        python,
        startsOneKernel: options.startsOneKernel ?? false,
        isMemoryShort: () => isMemoryShort(python.lowMemoryPercent),
      });
    this.#warm = this.#sessions?.warm(python, warmStarts) ?? warmStarts();
    this.#kernels = new KernelSource({
      options,
      context,
      bridge: this.#bridge,
      warm: this.#warm,
      artifactsFolder: (session) => this.#artifacts.of(session).folder,
    });
    // Tools name folders of a sandbox without links.
    this.cwd = this.#kernels.limits?.base ?? resolve(context.cwd);
    this.#source = {
      python,
      starter: (key) => this.#kernels.starter(key),
      tools: (key) => (this.#bridge.serves(key.id) ? this.#bridge.dispatcher(key) : undefined),
    };
    this.#pool = this.#sessions?.pool ?? this.#ownPool(context);
    this.#reach = this.#sessions === null ? null : this.#reachIn(this.#sessions.pool);
  }

  #reachIn(pool: SessionPool): SessionsInReach | null {
    const own = this.#kernels.key("", realFolder(this.cwd), undefined);
    return own.limits === undefined ? null : new SessionsInReach(pool, own);
  }

  #ownPool({ createTimeline }: RuntimeContext): SessionPool {
    const { python } = this.settings;
    return new SessionPool({
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
      timeline: createTimeline && (() => createTimeline),
    });
  }

  session(
    id = "main",
    { cwd, owner = "granary", kernel, notice: ask, label = owner, isTemporary, joins }: SessionChoices = {},
  ): Session {
    checkText(id, "the session's id");
    checkText(cwd, "cwd");
    const typed = resolve(this.cwd, cwd ?? ".");
    const folder = this.#sessions === null ? typed : this.#folderOf(typed);
    // After the last look at links, which code in a sandbox may change at any moment.
    if (this.#sessions !== null && joins === undefined) this.#kernels.requireInReach(folder);
    const key = this.#kernels.key(id, folder, kernel);
    const session = this.#find(key, joins);
    const seen = this.#owners.add(session, owner, {
      keeps: this.#sessions !== null && isTemporary !== true,
      label,
    });
    const before = this.#folders.get(id);
    this.#folders.set(id, folder);
    let notice = before === undefined || before === folder ? null : anotherFolder(id, before, folder);
    const itsKey = this.#pool.keyOf(session);
    let joined = itsKey === undefined || itsKey.limits === key.limits ? null : { session, key: itsKey };
    return new Session(session, {
      owner,
      label,
      seen,
      consent: this.#sessions === null ? undefined : (place) => this.#kernels.trustIn(place),
      capture: this.#sessions === null ? undefined : (terminal) => this.#artifacts.capture(id, terminal),
      backgroundMs: this.settings.python.backgroundHours * 3_600_000,
      others: () => this.#owners.othersThan(owner, session),
      firstNotice: () => {
        const itsSandbox = joined === null ? null : sayJoinedSandbox(joined);
        const told = [notice, itsSandbox, ask?.() ?? null].filter((sentence) => sentence !== null);
        notice = null;
        joined = null;
        return told.length === 0 ? null : told.join(" ");
      },
      saveRoots: this.#saveRoots(session),
      leave: async ({ ends }) => {
        if (this.#owners.remove(session, owner, { ends })) await this.#pool.remove(session);
      },
      branches: {
        fork: async (name) => {
          const branch = this.session(name, { cwd: folder, owner, kernel, isTemporary: true });
          const { failure } = await session.fork(this.#local(branch), { seen }).result;
          if (failure === null) return branch;
          if (failure.code !== "session-exists") await branch.leave();
          throw failure.cause;
        },
        keep: async (branch) => {
          const { failure } = await session.keep(this.#local(branch), { seen }).result;
          if (failure !== null) throw failure.cause;
          await branch.leave();
        },
      },
    });
  }

  /** The folder that a name leads to. Limits of the folder around a link that code made would not count where that link leads. */
  #folderOf(typed: string): string {
    const { base, astray } = this.#findFolder?.(typed, false) ?? { base: realFolder(typed) };
    if (astray !== undefined) throw astray;
    return base;
  }

  #saveRoots(session: LocalSession): SaveRoots | undefined {
    const key = this.#pool.keyOf(session);
    if (key === undefined) return undefined;
    return async (files, asked) => {
      const isOwn = key.cwd === this.cwd;
      const limits = key.limits ?? (isOwn ? undefined : await this.#limitsIn(key.cwd));
      const { knownPlaces } = await import("../support/files/foreign/known-places.ts");
      if (limits === undefined && knownPlaces(granaryHome(this.env)).length === 0) return asked;
      const { saveRoots } = await import("./sandbox/save-roots.ts");
      return saveRoots({ limits }, files, asked, this.env);
    };
  }

  /** By the settings of the folder itself. */
  async #limitsIn(folder: string): Promise<string | undefined> {
    const limits = await this.#kernels.limitsIn(folder);
    return limits === null ? undefined : JSON.stringify(limits);
  }

  #local(branch: Session): LocalSession {
    const key = this.#pool.keyOf(branch.shared);
    if (key === undefined) throw new GranaryError("session-closed", `The branch ${branch.id} has ended.`);
    return this.#pool.session(key);
  }

  /** A session that is joined continues to start its kernels as its own clients want them. */
  #find(key: SessionKey, joins: SharedSession | undefined): LocalSession {
    const joined = joins && this.#pool.keyOf(joins);
    if (joined !== undefined) return this.#pool.session(joined);
    const found = this.#joinedKey(key) ?? key;
    const starts = sessionNameOf(found) === sessionNameOf(key);
    // Tools that a cell calls have the limits of the runtime that serves them.
    if (found.limits === key.limits) this.#sessions?.use(found, this.#source, { starts });
    return this.#pool.session(found);
  }

  /** Other clients may have made the session of that name with another Python. */
  #joinedKey(key: SessionKey): SessionKey | undefined {
    if (this.#sessions === null) return undefined;
    const keyed = this.#pool.sessions.map((session) => ({ session, key: this.#pool.keyOf(session) as SessionKey }));
    const { interpreter } = key;
    const isSame = (executable: string): boolean =>
      interpreter !== null && isSamePython(interpreter, executable, { cwd: this.cwd, env: this.env });
    const leavesOut = key.cwd === realFolder(this.cwd) ? this.#leavesOut : null;
    return joinedKey(keyed, { key, ...this.#chosen, leavesOut, isSamePython: isSame });
  }

  serveTools(tools: HostTools, { session }: { readonly session?: string | undefined } = {}): () => void {
    return this.#bridge.serve(tools, session ?? null);
  }

  get backend(): BackendName {
    return this.#kernels.backend;
  }

  get site(): KernelSite {
    return this.#kernels.site;
  }

  startContext(id: string, cwd = this.cwd, kernel?: string): Promise<StartContext> {
    return this.#kernels.startContext(id, cwd, kernel);
  }

  get sessions(): readonly SharedSession[] {
    return this.#reach?.sessions ?? this.#pool.sessions;
  }

  keyOf(session: SharedSession): SessionKey | undefined {
    return this.#pool.keyOf(session);
  }

  get executions(): readonly Execution[] {
    const { all } = this.#pool.executions;
    return this.#reach === null ? all : all.filter((execution) => this.#reach?.has(execution));
  }

  execution(id: string): Execution | undefined {
    const found = this.#pool.executions.get(id);
    return found === undefined || this.#reach?.has(found) === false ? undefined : found;
  }

  beginWork(id: string, cell: Cell, signal?: AbortSignal, by?: string): Execution {
    const work = this.#pool.beginWork(id, cell, signal, by);
    this.#reach?.addWork(work);
    return work;
  }

  createCapture(id: string, mostBytes?: number): ExecutionCapture {
    return this.#artifacts.capture(id, undefined, mostBytes);
  }

  artifactsOf(id: string): ArtifactStore {
    return this.#artifacts.of(id);
  }

  get artifactRoot(): string {
    return this.#artifacts.root;
  }

  get ownArtifacts(): ReadonlySet<string> {
    return this.#artifacts.made;
  }

  async close(): Promise<void> {
    if (this.#sessions === null) {
      await this.#pool.close();
      await this.#warm.close();
    }
    this.#sessions?.forget(this.#source);
    await this.#bridge.close();
    await this.#kernels.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function anotherFolder(id: string, before: string, now: string): string {
  return `The session ${id} has one kernel per folder: this kernel is for ${now}; variables from ${before} are not available.`;
}
