import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { shellWord } from "../../support/shell-word.ts";
import { lookText } from "../../tools/executions/look-text.ts";
import type { HubFacts, SessionFacts } from "../session-facts.ts";
import type { SessionWish } from "../session-wish.ts";
import type { IncomingCall } from "../wire/peer.ts";
import { describeSession } from "./describe-session.ts";
import { findLivingSession } from "./find-session.ts";
import type { Hub, HubRequests } from "./hub.ts";
import { sentResult } from "./sent-result.ts";

/** Requests about sessions as a whole: `granary sessions`, `granary look`, `granary wait`, `granary hub`. */
export const sessionRequests: HubRequests = (hub, client) => ({
  status: async (): Promise<HubFacts> => hub.factsFor(client),
  stop: async ({ force }: { readonly force: boolean }) => hub.stop(force),
  describe: async (wish: SessionWish): Promise<SessionFacts> => {
    const session = findLivingSession(hub, wish);
    // A client that reads the history next finds the cells whose results it has seen.
    await hub.history(hub.sessions.keyOf(session)).written();
    return describeSession(session, hub.sessions);
  },
  interrupt: async (wish: SessionWish): Promise<Interrupted> => {
    const isName = hub.living.some(({ id }) => id === wish.name);
    const execution = isName ? undefined : hub.sessions.pool.executions.get(wish.name);
    if (execution !== undefined) {
      const interrupted = execution.isOver ? null : execution.id;
      await execution.interrupt();
      return { interrupted, folder: null };
    }
    const session = findLivingSession(hub, wish);
    const running = session.busyWith;
    await session.interrupt();
    return { interrupted: running?.id ?? null, folder: hub.sessions.keyOf(session).cwd };
  },
  undo: async ({ to, ...wish }: SessionWish & { readonly to: number | string | null }, { cancelled }: IncomingCall) => {
    const session = findLivingSession(hub, wish);
    if (session.isBusy) {
      const sentence = `A cell is running in ${session.id}. Wait for it, or interrupt it with: granary sessions interrupt ${shellWord(session.id)}`;
      throw new GranaryError("hub-busy", sentence);
    }
    const folder = hub.sessions.keyOf(session).cwd;
    const target = typeof to === "string" ? { execution: to } : { cell: to ?? undefined };
    const { failure, ledger, notices } = await session.restore(target, { signal: cancelled }).result;
    if (failure !== null) throw failure.cause;
    return { restoredTo: ledger.restoredTo ?? session.lastCell, notices, folder } satisfies UndoneCells;
  },
  stopSession: async ({ force, ...wish }: SessionWish & { readonly force: boolean }) => {
    const session = findLivingSession(hub, wish);
    if (session.isBusy && !force) {
      const sentence = `A cell is running in ${session.id}. Wait for it, or end it with: granary sessions stop ${shellWord(session.id)} --force`;
      throw new GranaryError("hub-busy", sentence);
    }
    const folder = hub.sessions.keyOf(session).cwd;
    await hub.sessions.pool.remove(session, "The session was stopped with granary sessions stop.");
    return { stopped: session.id, folder };
  },
  look: async (wish: SessionWish, { cancelled }: IncomingCall) => {
    const session = findLivingSession(hub, wish);
    const execution = session.busyWith;
    return {
      session: describeSession(session, hub.sessions),
      execution: execution && describeExecution(execution),
      text: execution && lookText(execution, await execution.look(cancelled)),
    };
  },
  wait: async ({ id, since = 0 }: { readonly id: string; readonly since?: number }, call: IncomingCall) => {
    const execution = requireExecution(hub, id);
    const stop = AbortSignal.any([call.cancelled, call.gone]);
    for await (const logged of execution.events(since)) {
      if (stop.aborted) return null;
      await call.tell(logged);
    }
    return { ...describeExecution(execution), result: sentResult(await execution.result) };
  },
});

export interface UndoneCells {
  /** Variables are as they were after this cell. */
  readonly restoredTo: number;
  readonly notices: readonly string[];
  readonly folder: string;
}

export interface Interrupted {
  /** The id of the execution; null when nothing was running. */
  readonly interrupted: string | null;
  /** The folder of the session; null where an execution was named. */
  readonly folder: string | null;
}

export interface ExecutionFacts {
  readonly id: string;
  readonly session: string;
  readonly code: string;
  readonly by: string | null;
  readonly status: Execution["status"];
  readonly startedAt: number | null;
}

export interface WaitedExecution extends ExecutionFacts {
  readonly result: ExecutionResult;
}

function describeExecution({ id, sessionId, cell, by, status, startedAt }: Execution): ExecutionFacts {
  return { id, session: sessionId, code: cell.code, by, status, startedAt };
}

function requireExecution(hub: Hub, id: string): Execution {
  const found = hub.sessions.pool.executions.get(id);
  if (found !== undefined) return found;
  throw new GranaryError(
    "unknown-execution",
    `The hub knows no execution ${id}: it is too old, or of an earlier hub. Past cells: granary sessions show NAME`,
  );
}
