import { resolve } from "node:path";
import type { Granary } from "../runtime/granary.ts";
import type { Lease } from "../session/lease.ts";

/** What the tools of one toolbox share: one agent's view of the runtime. */
export interface ToolContext {
  readonly granary: Granary;
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
  /**
   * The hold on a session, in a folder that may be relative to `cwd`. Nothing is started by it, and the toolbox leaves the
   * session at its end. Its first result says so when it is another kernel than the one that the same name had before.
   */
  leaseFor(session?: string, cwd?: string, kernel?: string): Lease;
  /** The first time that a call names a session or a kernelspec, a sentence about whose variables are there. */
  firstUseNotices(session?: string, kernel?: string): readonly string[];
  /** The names of the sessions that were used so far. */
  readonly sessions: ReadonlySet<string>;
  /** For tools that leave something running: is called when the toolbox closes. */
  atEnd(end: () => Promise<void>): void;
}

export interface ToolContextOptions {
  readonly granary: Granary;
  readonly session?: string | undefined;
  readonly owner?: string | undefined;
  readonly cwd?: string | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  /** Is told of every session before it is used for the first time. */
  readonly onSession?: ((lease: Lease) => void) | undefined;
}

/** A context, and how to leave the sessions that were used through it. */
export function createToolContext(options: ToolContextOptions): ToolContext & { close(): Promise<void> } {
  const { granary, session: ownSession = "main", owner = "agent", roots, readOnly = false } = options;
  const cwd = resolve(granary.cwd, options.cwd ?? ".");
  /** One of each session suffices to leave it. */
  const leases = new Map<object, Lease>();
  const ends: (() => Promise<void>)[] = [];
  const sessions = new Set([ownSession]);
  const told = new Set<string>([ownSession]);
  return {
    granary,
    session: ownSession,
    owner,
    cwd,
    roots: roots?.map((root) => resolve(cwd, root)) ?? null,
    readOnly,
    leaseFor(session = ownSession, folder = ".", kernel = undefined) {
      const lease = granary.session(session, { cwd: resolve(cwd, folder), owner, kernel });
      if (!leases.has(lease.session)) options.onSession?.(lease);
      leases.set(lease.session, lease);
      sessions.add(session);
      return lease;
    },
    firstUseNotices(session = ownSession, kernel = undefined) {
      const name = kernel === undefined ? session : `${session} ${kernel}`;
      if (told.has(name)) return [];
      told.add(name);
      return [kernel === undefined ? ownKernel(session, ownSession) : ownKernelspec(kernel)];
    },
    sessions,
    atEnd(end) {
      ends.push(end);
    },
    async close() {
      await Promise.all([...[...leases.values()].map((lease) => lease.leave()), ...ends.map((end) => end())]);
    },
  };
}

function ownKernel(session: string, usual: string): string {
  return `The session ${session} has a kernel of its own: variables of ${usual} are not here.`;
}

function ownKernelspec(kernel: string): string {
  return `${kernel} has a kernel of its own: variables of other kernels are not here.`;
}
