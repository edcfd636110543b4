import type { SessionKey } from "../session/session-pool.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { GranaryError } from "../support/granary-error.ts";
import { shellWord } from "../support/shell-word.ts";
import { sayLimits } from "./sandbox/say-sandbox.ts";
import { limitsFrom } from "./sandbox/session-limits.ts";

/** A session of the pool, with its key. */
export interface KeyedSession {
  readonly session: Pick<SharedSession, "kernel" | "info" | "isBusy">;
  readonly key: SessionKey;
}

/** The session that a client asks for, and what the client chose itself. */
export interface JoinWish {
  readonly key: SessionKey;
  readonly choosesBackend: boolean;
  /** Whether it chose to have no sandbox, and not just none. */
  readonly refusesSandbox: boolean;
  /** Whether the folder's settings name programs, and the client does not trust the folder; null where a start would tell. */
  readonly leavesOut: boolean | null;
  /** Whether the wished interpreter is another name of that executable. */
  isSamePython(executable: string): boolean;
}

/**
 * The session that a client means by name and folder. A client that asks for no particular Python joins the session as it is; a session
 * whose kernel has ended starts the next one as before, in its sandbox.
 * @returns its key; undefined where there is none yet
 * @throws {GranaryError} `session-differs`, where the client asks for something else: a user could not tell two living
 * sessions of one name in one folder apart
 */
export function joinedKey(sessions: readonly KeyedSession[], wish: JoinWish): SessionKey | undefined {
  const { id, cwd, kernelspec } = wish.key;
  const named = sessions.filter(({ key }) => key.id === id && key.cwd === cwd && key.kernelspec === kernelspec);
  const found = named.find(({ session }) => session.kernel !== null || session.isBusy);
  if (found === undefined) {
    const careful = { ...wish, leavesOut: wish.leavesOut ?? true };
    return named.reverse().find((ended) => differenceTo(ended, careful) === null)?.key;
  }
  const difference = differenceTo(found, wish);
  if (difference === null) return found.key;
  const trust = wish.leavesOut ? `. To allow it: granary trust ${shellWord(cwd)}` : "";
  const remedy = `Use another name, or end it first: granary sessions stop ${shellWord(id)}${trust}`;
  throw new GranaryError("session-differs", `The session ${id} of this folder ${difference}. ${remedy}`);
}

/** A kernel would start with programs that the folder names, for a client that has not trusted it. */
export function startsByFolder(id: string, folder: string): GranaryError {
  const remedy = `Use another name, or allow it: granary trust ${shellWord(folder)}`;
  return new GranaryError("session-differs", `The session ${id} of this folder ${byFolder}. ${remedy}`);
}

const byFolder = "runs what the settings of this folder name, and you have not trusted it";

/**
 * The sandbox of a session that runs already, for a client that asked for none; null where there is none, and without a kernel: its start
 * says so.
 */
export function sayJoinedSandbox({ session, key }: KeyedSession): string | null {
  if (session.info === null || key.limits === undefined) return null;
  const { sandbox: mode, network, base, write } = limitsFrom(key.limits);
  if (mode === "off" || base === null) return null;
  const limits = sayLimits({ mode, network, write: [base, ...write], shared: [] });
  return `The session ${key.id} has a sandbox, ${session.info.sandbox ?? mode}, for its Python and the commands of its cells: ${limits}.`;
}

function differenceTo({ session, key }: KeyedSession, wish: JoinWish): string | null {
  const { key: wished, choosesBackend, refusesSandbox } = wish;
  const executable = session.info?.executable ?? null;
  const isNamedSo = [null, key.interpreter, executable].includes(wished.interpreter);
  if (!isNamedSo && (executable === null || !wish.isSamePython(executable)))
    return `runs ${executable ?? "another Python"}, not ${wished.interpreter}`;
  const isAsWished = key.interpreter === wished.interpreter && key.backend === wished.backend;
  if (wish.leavesOut && key.isByFolder && !isAsWished) return byFolder;
  // A client without limits of its own may join a session that has some; one with limits gets no weaker ones.
  if (wished.limits !== undefined && wished.limits !== key.limits) return "has another sandbox or none";
  const hasSandbox = key.limits !== undefined && limitsFrom(key.limits).sandbox !== "off";
  if (refusesSandbox && hasSandbox) return "has a sandbox";
  if (choosesBackend && wished.backend !== key.backend) return `runs on ${key.backend}, not ${wished.backend}`;
  return null;
}
