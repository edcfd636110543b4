import type { OnHostCall } from "../kernel/host-call.ts";
import type { ReadersTerminal } from "../kernel/kernel.ts";
import type { Capture } from "../output/capture.ts";
import { minutesInWords } from "../support/say-time.ts";
import { Admission } from "./admission.ts";
import type { CreateTimeline } from "./checkpoints/timeline.ts";
import { type Cell, Execution } from "./execution/execution.ts";
import { Heartbeat } from "./kernel-life/heartbeat.ts";
import type { StartKernel } from "./kernel-life/succession.ts";
import { LocalSession, type SessionLineChange, type SharedSessionOptions } from "./local-session.ts";
import type { SharedSession } from "./shared-session.ts";

/** The identity of a session. */
export interface SessionKey {
  readonly id: string;
  readonly cwd: string;
  /** The requested one; null when each start looks for one. */
  readonly interpreter: string | null;
  readonly backend: string;
  /** A kernelspec other than that of the settings; `backend` contains it as well. */
  readonly kernelspec?: string | undefined;
  /** The sandbox and the program in front of Python, as text: another client of the session must not get a kernel without it. */
  readonly limits?: string | undefined;
  /** Whether a file of the folder named the interpreter or the backend: a client that does not trust the folder starts neither. */
  readonly isByFolder?: boolean | undefined;
}

export interface PoolOptions extends Pick<SharedSessionOptions, "crashRetry" | "kernelMode"> {
  /** Makes the checkpoints of that session; without it, there are none. */
  readonly timeline?: ((key: SessionKey) => CreateTimeline) | undefined;
  /** The number of the first execution, from 1. */
  readonly firstExecution?: number | undefined;
  /** Called with every cell at its beginning in the queue. */
  readonly onExecution?: ((execution: Execution, key: SessionKey) => void) | undefined;
  /** Called when cells of that session are undone, or are back. */
  readonly onLine?: ((change: SessionLineChange, key: SessionKey) => void) | undefined;
  /** Called with work that is no cell, at its beginning. */
  readonly onWork?: ((work: Execution) => void) | undefined;
  /** Called when a session is gone, with its name. */
  readonly onRemoved?: ((key: SessionKey) => void) | undefined;
  /** Answers calls of that session's Python code to the host's tools. */
  readonly onHostCall?: ((key: SessionKey) => OnHostCall) | undefined;
  readonly start: (key: SessionKey) => StartKernel;
  readonly createCapture: (key: SessionKey, terminal: ReadersTerminal | undefined) => Capture;
  /** Restarts what all sessions share, when file descriptors ran out. */
  readonly recover: () => Promise<void>;
  readonly maxSessions: number;
  /** The name of the setting that has this number, for the sentence that says why a session waits. */
  readonly maxSessionsSetting?: string | undefined;
  /** How long a kernel may go unused; Infinity for ever. */
  readonly idleMs: number;
  /** Whether idle kernels should make room for everybody else on the machine. */
  isMemoryShort(): boolean;
  readonly sweepMs: number;
  /** 0 for no heartbeat. */
  readonly heartbeatMs: number;
  readonly startMs: number;
}

/** Without a kernel, a session is only its name and its history; but there may be many names over the weeks. */
const rememberedSessions = 500;

const justUsedMs = 60_000;

/** All sessions of a process: at most so many with a kernel, and none idle for too long. */
export class SessionPool {
  readonly #options: PoolOptions;
  readonly #sessions = new Map<string, LocalSession>();
  readonly #keys = new WeakMap<SharedSession, SessionKey>();
  readonly #closing = new Set<Promise<void>>();
  readonly #admission: Admission;
  readonly #heartbeat: Heartbeat;
  readonly executions = new ExecutionRegistry();
  /** Work that is no cell, and is not over. */
  readonly works = new Set<Execution>();
  #sweeper: NodeJS.Timeout | undefined;
  #lastExecution = 0;
  #isClosed = false;
  #isRelieving = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#lastExecution = (options.firstExecution ?? 1) - 1;
    this.#admission = new Admission(options.maxSessions, options.maxSessionsSetting);
    this.#heartbeat = new Heartbeat(options.heartbeatMs);
  }

  get sessions(): readonly LocalSession[] {
    return [...this.#sessions.values()];
  }

  keyOf(session: SharedSession): SessionKey | undefined {
    return this.#keys.get(session);
  }

  /** The session of that key; the same one every time. */
  session(key: SessionKey): LocalSession {
    const name = sessionNameOf(key);
    const existing = this.#sessions.get(name);
    if (existing !== undefined) return existing;
    this.#forgetOld();
    const session = this.#create(key);
    if (this.#isClosed) void session.close("Granary was closed.");
    else this.#sessions.set(name, session);
    return session;
  }

  /** Closes it and forgets it. */
  async remove(session: LocalSession, reason?: string): Promise<void> {
    for (const [name, other] of this.#sessions) if (other === session) this.#sessions.delete(name);
    const key = this.#keys.get(session);
    if (key !== undefined) this.#options.onRemoved?.(key);
    const closed = session.close(reason);
    this.#closing.add(closed);
    await closed.finally(() => this.#closing.delete(closed));
  }

  /** Settles when no kernel is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    for (const session of this.sessions) void this.remove(session, "Granary was closed.");
    await Promise.all(this.#closing);
    this.#heartbeat.stop();
  }

  /** Work that is no cell, such as a command: it is followed and interrupted like one. */
  beginWork(sessionId: string, cell: Cell, signal?: AbortSignal, by?: string): Execution {
    const work = new Execution(this.#nextId(), sessionId, cell, signal, { by });
    this.executions.add(work);
    this.works.add(work);
    void work.result.then(() => this.works.delete(work));
    this.#options.onWork?.(work);
    return work;
  }

  #nextId(): string {
    return `run-${++this.#lastExecution}`;
  }

  #create(key: SessionKey): LocalSession {
    const { start, createCapture, onHostCall, onExecution, startMs, crashRetry, kernelMode, timeline } = this.#options;
    const session: LocalSession = new LocalSession(key.id, {
      start: start(key),
      createCapture: (terminal) => createCapture(key, terminal),
      onHostCall: onHostCall?.(key),
      crashRetry,
      timeline: kernelMode === "per-call" ? undefined : timeline?.(key),
      kernelMode,
      nextExecutionId: () => this.#nextId(),
      onExecution: (execution) => {
        this.executions.add(execution);
        onExecution?.(execution, key);
      },
      // Where nothing can be undone, cells are not remembered for it.
      onLine: timeline === undefined ? undefined : (change) => this.#mark(change, key),
      onIdle: () => this.#admission.somethingChanged(),
      provision: () => ({
        startMs,
        admit: (signal, onWait) => this.#admit(session, signal, onWait),
        makeRoom: () => this.#makeRoom(session),
      }),
    });
    this.#keys.set(session, key);
    session.watch(({ to }) => {
      if (to === "ready") this.#listenToHeart(session);
      if (to === "dead") this.#admission.leave(session);
    });
    return session;
  }

  #mark(change: SessionLineChange, key: SessionKey): void {
    // A restart is reported elsewhere, and is no undo.
    if (change.why !== "restart") for (const id of change.undone) this.executions.mark(id, change.why);
    for (const id of change.redone) this.executions.mark(id, null);
    this.#options.onLine?.(change, key);
  }

  #admit(session: LocalSession, signal: AbortSignal, onWait: (reason: string) => void): Promise<void> {
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#options.sweepMs).unref();
    return this.#admission.enter(session, signal, onWait);
  }

  #listenToHeart(session: LocalSession): void {
    const { kernel } = session;
    if (kernel === null) return;
    this.#heartbeat.watch(kernel, {
      onBeat: (trouble) => session.heartbeat(trouble),
      onHopeless: (reason) => session.giveUp(kernel, reason),
    });
  }

  /** Ends kernels that were unused for a while. */
  #sweep(): void {
    const { idleMs } = this.#options;
    const longAgo = performance.now() - idleMs;
    for (const session of this.#sessions.values()) {
      if (session.idleSince < longAgo) void session.park(`No cell ran for ${minutesInWords(idleMs / 60_000)}.`);
    }
    void this.#relieve();
  }

  /** As many as necessary, and none that was used just now: its caller may be about to send the next cell. */
  async #relieve(): Promise<void> {
    if (this.#isRelieving) return;
    this.#isRelieving = true;
    try {
      if (this.#options.isMemoryShort() && this.#dropCheckpoints()) return;
      while (this.#options.isMemoryShort()) {
        const unused = this.sessions.filter(
          ({ isIdle, idleSince }) => isIdle && idleSince < performance.now() - justUsedMs,
        );
        const [oldest] = unused.sort((one, other) => one.idleSince - other.idleSince);
        if (oldest === undefined) return;
        await oldest.park("Memory was short, and this session was unused for longest.");
      }
    } finally {
      this.#isRelieving = false;
    }
  }

  /** Copies make room first, and kernels at the next look, if that was not enough. */
  #dropCheckpoints(): boolean {
    const having = this.sessions.filter((session) => session.checkpoints().length > 0);
    for (const session of having) session.dropCheckpoints();
    return having.length > 0;
  }

  /** Busy sessions stay: running cells are worth more than a file descriptor. */
  async #makeRoom(session: LocalSession): Promise<void> {
    const others = this.sessions.filter((other) => other !== session);
    await Promise.all(others.map((other) => other.park("Too many files were open.")));
    await this.#options.recover();
  }

  #forgetOld(): void {
    if (this.#sessions.size < rememberedSessions) return;
    const unused = this.sessions.filter(({ kernel, isBusy }) => kernel === null && !isBusy);
    const [oldest] = unused.sort((a, b) => a.idleSince - b.idleSince);
    // Closed, so that an owner that still holds it gets an error instead of a kernel outside the pool.
    if (oldest !== undefined) void this.remove(oldest, `There have been ${rememberedSessions} sessions since.`);
  }
}

/** The same for every key of one session. */
export function sessionNameOf({ id, cwd, interpreter, backend, limits }: SessionKey): string {
  return JSON.stringify([id, cwd, interpreter, backend, ...(limits === undefined ? [] : [limits])]);
}

/** How many finished ones are kept, so that callers may still ask for their results. */
const rememberedExecutions = 200;
/** In characters, together: a few with many pictures are as heavy as hundreds without. */
const rememberedWeight = 64 * 1024 * 1024;

/** Every execution of a process by its id: those under way, and the latest that are over. */
export class ExecutionRegistry {
  readonly #executions = new Map<string, Execution>();
  #underWay: readonly Execution[] = [];
  #over = 0;
  #weightOver = 0;

  add(execution: Execution): void {
    this.#executions.set(execution.id, execution);
    this.#underWay = [...this.#underWay, execution];
    this.#countOver();
    if (this.#isTooMuch) this.#forgetOld();
  }

  get(id: string): Execution | undefined {
    return this.#executions.get(id);
  }

  /** Its effects are gone from the variables, for that reason, or back. */
  mark(id: string, undone: Execution["undone"]): void {
    const execution = this.#executions.get(id);
    if (execution !== undefined) execution.undone = undone;
  }

  /** The oldest first. */
  get all(): readonly Execution[] {
    return [...this.#executions.values()];
  }

  get #isTooMuch(): boolean {
    return this.#over > rememberedExecutions || this.#weightOver > rememberedWeight;
  }

  /** Each is counted once, when it is over: its weight stays the same from then on. */
  #countOver(): void {
    for (const execution of this.#underWay) {
      if (!execution.isOver) continue;
      this.#over += 1;
      this.#weightOver += execution.weight;
    }
    this.#underWay = this.#underWay.filter((execution) => !execution.isOver);
  }

  #forgetOld(): void {
    for (const execution of this.#executions.values()) {
      if (!this.#isTooMuch) return;
      if (this.#underWay.includes(execution)) continue;
      this.#executions.delete(execution.id);
      this.#over -= 1;
      this.#weightOver -= execution.weight;
    }
  }
}
