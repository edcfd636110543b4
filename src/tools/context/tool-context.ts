import { resolve } from "node:path";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Cell, Execution } from "../../session/execution/execution.ts";
import type { Session } from "../../session/session.ts";
import { OngoingWork } from "./ongoing-work.ts";

/** What the tools of one toolbox share: one agent's view of the runtime. */
export interface ToolContext {
  readonly runtime: Runtime;
  /** The session of calls that name none. */
  readonly session: string;
  /** Who holds the sessions that these tools use. */
  readonly owner: string;
  /** The folder that relative paths start from, absolute. */
  readonly cwd: string;
  /** The folders that file tools are limited to, absolute; null when they are not. */
  readonly roots: readonly string[] | null;
  /** Whether tools that change something are hidden. */
  readonly readOnly: boolean;
  /** Whether only artifacts of this runtime can be read, and none that other processes have left in the same store. */
  readonly ownArtifactsOnly: boolean;
  /**
   * The hold on a session, in a folder that may be relative to `cwd`. Nothing is started by it, and the toolbox leaves the
   * session at its end. Its first result says so when it is another kernel than the one that the same name had before.
   */
  sessionFor(session?: string, cwd?: string, kernel?: string): Session;
  /** The first time that a call names a session or a kernelspec, a sentence about whose variables are there. */
  firstUseNotices(session?: string, kernel?: string): readonly string[];
  /** What is to say of functions that cells have just marked with `@tool`. */
  functionNotices(): readonly string[];
  /** Leaves a session whose kernel was ended. The next result of one like it says, once, that variables are gone. */
  shutDown(session: Session): Promise<void>;
  /** Work that is no cell, such as a command. Whoever begins it settles it; the toolbox interrupts it at its end. */
  beginWork(session: string, cell: Cell, signal?: AbortSignal): Execution;
  /** What calls of this agent wait for. */
  readonly ongoing: OngoingWork;
  /** The names of the sessions that were used so far. */
  readonly sessions: ReadonlySet<string>;
  /** For tools that leave something running: is called when the toolbox closes. */
  atEnd(end: () => Promise<void>): void;
}

export interface ToolContextOptions {
  readonly runtime: Runtime;
  readonly session?: string | undefined;
  readonly owner?: string | undefined;
  readonly cwd?: string | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  /** Whether artifacts of other runtimes are hidden; they always are with `roots` or `readOnly`. */
  readonly ownArtifactsOnly?: boolean | undefined;
  /** Is told of every session before it is used for the first time. */
  readonly onSession?: ((session: Session) => void) | undefined;
  readonly functionNotices?: (() => readonly string[]) | undefined;
}

/** A context, and how to leave the sessions that were used through it. */
export function createToolContext(options: ToolContextOptions): ToolContext & { close(): Promise<void> } {
  const { runtime, session: ownSession = "main", owner = "agent", roots, readOnly = false } = options;
  const cwd = resolve(runtime.cwd, options.cwd ?? ".");
  /** One of each session suffices to leave it. */
  const held = new Map<object, Session>();
  const works = new Set<Execution>();
  const ends: (() => Promise<void>)[] = [];
  const names = new Set([ownSession]);
  const told = new Set<string>([ownSession]);
  const shutDown = new Set<string>();
  return {
    runtime,
    session: ownSession,
    owner,
    cwd,
    roots: roots?.map((root) => resolve(cwd, root)) ?? null,
    readOnly,
    ownArtifactsOnly: options.ownArtifactsOnly === true || roots !== undefined || readOnly,
    sessionFor(name = ownSession, folder = ".", kernel = undefined) {
      const key = sessionKey(name, resolve(cwd, folder), kernel);
      const notice = (): string | null => (shutDown.delete(key) ? freshKernel(name) : null);
      const session = runtime.session(name, { cwd: resolve(cwd, folder), owner, kernel, notice });
      if (!held.has(session.shared)) options.onSession?.(session);
      held.set(session.shared, session);
      names.add(name);
      return session;
    },
    firstUseNotices(session = ownSession, kernel = undefined) {
      const name = kernel === undefined ? session : `${session} ${kernel}`;
      if (told.has(name)) return [];
      told.add(name);
      return [kernel === undefined ? ownKernel(session, ownSession) : ownKernelspec(kernel)];
    },
    functionNotices: options.functionNotices ?? (() => []),
    async shutDown(session) {
      const key = runtime.keyOf(session.shared);
      await session.leave();
      // Where others hold it, the session lives on and knows itself what became of its kernel.
      const isGone = !runtime.sessions.includes(session.shared);
      const hadKernel = session.shared.generation > 0;
      if (key && isGone && hadKernel) shutDown.add(sessionKey(key.id, key.cwd, key.kernelspec));
    },
    beginWork(session, cell, signal) {
      const work = runtime.beginWork(session, cell, signal);
      works.add(work);
      void work.result.then(() => works.delete(work));
      return work;
    },
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
  return `The session ${session} has a kernel of its own: variables of ${usual} are not here.`;
}

function ownKernelspec(kernel: string): string {
  return `${kernel} has a kernel of its own: variables of other kernels are not here.`;
}
