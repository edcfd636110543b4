import { resolve } from "node:path";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Cell, Execution } from "../../session/execution/execution.ts";
import type { Session } from "../../session/session.ts";
import { OngoingWork } from "./ongoing-work.ts";

/** State that the tools of one toolbox share: one agent's view of the runtime. */
export interface ToolContext {
  readonly runtime: Runtime;
  /** The default session. */
  readonly session: string;
  /** The owner of the sessions that these tools use. */
  readonly owner: string;
  /** The base of relative paths, absolute. */
  readonly cwd: string;
  /** The folders that file tools are limited to, without links, as `requireInside` takes them; null for no limit. */
  readonly roots: readonly string[] | null;
  /** Whether tools that change anything are hidden. */
  readonly readOnly: boolean;
  /** How large a result may be, as the host counts it: text in UTF-8, pictures in base64; Infinity for any size. */
  readonly resultBytes: number;
  /** Whether only artifacts of this runtime can be read, and none of other processes that share the store. */
  readonly ownArtifactsOnly: boolean;
  /**
   * The hold on a session, in a folder that may be relative to `cwd`. It starts nothing, and the toolbox releases the
   * session at its end. Its first result says when the name now has another kernel than before.
   */
  sessionFor(session?: string, cwd?: string, kernel?: string): Session;
  /** On the first call that names a session or a kernelspec, a sentence about the kernel's variables. */
  firstUseNotices(session?: string, kernel?: string): readonly string[];
  /** Notices about functions that cells have just marked with `@tool`. */
  functionNotices(): readonly string[];
  /** Releases a session whose kernel was ended. The next result of the same session says once that its variables are lost. */
  shutDown(session: Session): Promise<void>;
  /** Work that is no cell, such as a command. The caller settles it; the toolbox interrupts it at its end. */
  beginWork(session: string, cell: Cell, signal?: AbortSignal): Execution;
  /** Such work that is not over. */
  readonly works: ReadonlySet<Execution>;
  /** The executions that calls of this agent wait for. */
  readonly ongoing: OngoingWork;
  /** The names of the sessions used so far. */
  readonly sessions: ReadonlySet<string>;
  /** For tools that leave processes running: called when the toolbox closes. */
  atEnd(end: () => Promise<void>): void;
}

export interface ToolContextOptions {
  readonly runtime: Runtime;
  readonly session?: string | undefined;
  readonly owner?: string | undefined;
  /** The owner's name in sentences for other clients; the owner by default. */
  readonly label?: string | undefined;
  readonly cwd?: string | undefined;
  readonly roots?: readonly string[] | undefined;
  /** @internal The roots of the moment, where they change. */
  readonly rootsNow?: (() => readonly string[]) | undefined;
  readonly readOnly?: boolean | undefined;
  /** The size that the host refuses results above, in bytes; Infinity, the default, for none. */
  readonly resultBytes?: number | undefined;
  /** Whether artifacts of other runtimes are hidden; always true with `roots` or `readOnly`. */
  readonly ownArtifactsOnly?: boolean | undefined;
  /** Called for every session before its first use. */
  readonly onSession?: ((session: Session) => void) | undefined;
  /** Called when a session that was used before has ended. */
  readonly onSessionGone?: ((session: Session) => void) | undefined;
  readonly functionNotices?: (() => readonly string[]) | undefined;
}

/** A context, and a way to release the sessions used through it. */
export function createToolContext(options: ToolContextOptions): ToolContext & { close(): Promise<void> } {
  const { runtime, session: ownSession = "main", owner = "agent", label, roots, readOnly = false } = options;
  const cwd = resolve(runtime.cwd, options.cwd ?? ".");
  /** One hold per session suffices to release it. */
  const held = new Map<object, Session>();
  const works = new Set<Execution>();
  const ends: (() => Promise<void>)[] = [];
  const names = new Set([ownSession]);
  const told = new Set<string>([ownSession]);
  const shutDown = new Set<string>();
  let hasUsedOwn = false;
  /** A name that is used again after a shutdown has another session: the old ones would pile up. */
  const forgetEnded = (): void => {
    const living = new Set<object>(runtime.sessions);
    for (const [shared, session] of held) {
      if (living.has(shared)) continue;
      held.delete(shared);
      options.onSessionGone?.(session);
      void session.leave();
    }
  };
  return {
    runtime,
    session: ownSession,
    owner,
    cwd,
    get roots() {
      return options.rootsNow?.() ?? roots ?? null;
    },
    readOnly,
    resultBytes: options.resultBytes ?? Number.POSITIVE_INFINITY,
    ownArtifactsOnly: options.ownArtifactsOnly === true || roots !== undefined || readOnly,
    sessionFor(name = ownSession, folder = ".", kernel = undefined) {
      const key = sessionKey(name, resolve(cwd, folder), kernel);
      const notice = (): string | null => (shutDown.delete(key) ? freshKernel(name) : null);
      const session = runtime.session(name, { cwd: resolve(cwd, folder), owner, label, kernel, notice });
      if (!held.has(session.shared)) {
        forgetEnded();
        options.onSession?.(session);
      }
      held.set(session.shared, session);
      names.add(name);
      hasUsedOwn ||= name === ownSession;
      return session;
    },
    firstUseNotices(session = ownSession, kernel = undefined) {
      const name = kernel === undefined ? session : `${session} ${kernel}`;
      if (told.has(name)) return [];
      told.add(name);
      // An agent that has used only the named session misses no variables.
      if (kernel === undefined) return hasUsedOwn ? [ownKernel(session, ownSession)] : [];
      return [ownKernelspec(kernel)];
    },
    functionNotices: options.functionNotices ?? (() => []),
    async shutDown(session) {
      const key = runtime.keyOf(session.shared);
      await session.end();
      // While others hold the session, it lives on and reports the end of its kernel itself.
      const isGone = !runtime.sessions.includes(session.shared);
      const hadKernel = session.shared.generation > 0;
      if (key && isGone && hadKernel) shutDown.add(sessionKey(key.id, key.cwd, key.kernelspec));
    },
    beginWork(session, cell, signal) {
      const work = runtime.beginWork(session, cell, signal, label ?? owner);
      works.add(work);
      void work.result.then(() => works.delete(work));
      return work;
    },
    works,
    ongoing: new OngoingWork(),
    sessions: names,
    atEnd(end) {
      ends.push(end);
    },
    async close() {
      await Promise.all([...works].map((work) => work.interrupt()));
      await Promise.all([...[...held.values()].map((session) => session.leave()), ...ends.map((end) => end())]);
    },
  };
}

function sessionKey(id: string, cwd: string, kernel: string | undefined): string {
  return JSON.stringify([id, cwd, kernel]);
}

function freshKernel(session: string): string {
  return `The session ${session} was shut down, so this is a fresh kernel: earlier variables are gone.`;
}

function ownKernel(session: string, usual: string): string {
  return `The session ${session} has a kernel of its own: variables of ${usual} are not available.`;
}

function ownKernelspec(kernel: string): string {
  return `${kernel} has a kernel of its own: variables of other kernels are not available.`;
}
