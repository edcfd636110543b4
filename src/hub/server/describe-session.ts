import { limitsFrom } from "../../runtime/sandbox/session-limits.ts";
import type { Execution } from "../../session/execution/execution.ts";
import type { LocalSession } from "../../session/local-session.ts";
import { firstLineOf } from "../../session/recent-cells.ts";
import type { SessionFacts, WorkFacts } from "../session-facts.ts";
import type { HubSessions } from "./hub-sessions.ts";
import { memoryNow } from "./memory-now.ts";

export function describeSession(session: LocalSession, sessions: HubSessions): SessionFacts {
  const { id, info, generation, counting } = session;
  const work = session.work.filter(({ cell }) => cell.code !== "");
  const last = counting.last === null ? undefined : sessions.pool.executions.get(counting.last);
  const { cwd, limits } = sessions.keyOf(session);
  const lastUse = session.isBusy ? Date.now() : Date.now() - (performance.now() - session.idleSince);
  return {
    name: id,
    folder: cwd,
    sandbox: info === null ? modeOf(limits) : (info.sandbox ?? null),
    kernel: info && { ...info, memoryBytes: memoryNow(info.pid) },
    generation,
    state: stateOf(session),
    work: work.map(describeWork),
    clients: sessions.owners.othersThan(null, session),
    cells: counting.cells,
    lastCell: last === undefined ? null : firstLineOf(last.cell.code),
    lastUse: Math.round(lastUse),
    checkpoints: session.checkpoints(),
  };
}

function modeOf(limits: string | undefined): string | null {
  const mode = limits === undefined ? "off" : limitsFrom(limits).sandbox;
  return mode === "off" ? null : mode;
}

function stateOf({ info, isBusy, life }: LocalSession): SessionFacts["state"] {
  if (life === "provisioning" || life === "restarting") return "starting";
  if (isBusy) return "busy";
  return info === null ? "without a kernel" : "idle";
}

export function describeWork({ id, by, cell, startedAt }: Execution): WorkFacts {
  return { id, by, firstLine: firstLineOf(cell.title?.startsWith("$ ") ? cell.title : cell.code), startedAt };
}
