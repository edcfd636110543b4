import type { SessionKey } from "../session/session-pool.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { GranaryError } from "../support/granary-error.ts";
import { shellWord } from "../support/shell-word.ts";

/** A session of the pool, with its key. */
export interface KeyedSession {
  readonly session: Pick<SharedSession, "kernel" | "info" | "isBusy">;
  readonly key: SessionKey;
}

/** The session that a client asks for, and whether the client chose the backend itself. */
export interface JoinWish {
  readonly key: SessionKey;
  readonly choosesBackend: boolean;
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
  if (found === undefined) return named.reverse().find((ended) => differenceTo(ended, wish) === null)?.key;
  const difference = differenceTo(found, wish);
  if (difference === null) return found.key;
  const remedy = `Use another name, or end it first: granary sessions stop ${shellWord(id)}`;
  throw new GranaryError("session-differs", `The session ${id} of this folder ${difference}. ${remedy}`);
}

function differenceTo({ session, key }: KeyedSession, wish: JoinWish): string | null {
  const { key: wished, choosesBackend } = wish;
  const executable = session.info?.executable ?? null;
  const isNamedSo = [null, key.interpreter, executable].includes(wished.interpreter);
  if (!isNamedSo && (executable === null || !wish.isSamePython(executable)))
    return `runs ${executable ?? "another Python"}, not ${wished.interpreter}`;
  // A client without limits of its own may join a session that has some; one with limits gets no weaker ones.
  if (wished.limits !== undefined && wished.limits !== key.limits) return "has another sandbox or none";
  if (choosesBackend && wished.backend !== key.backend) return `runs on ${key.backend}, not ${wished.backend}`;
  return null;
}
