import type { Execution } from "../../session/execution/execution.ts";
import type { Session } from "../../session/session.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { lastLine, nameOf, soFar } from "../executions/say-standing.ts";
import type { ToolContext } from "./tool-context.ts";

/**
 * Throws when the session runs work that no call of this agent waits for: the agent would not know why its call waits.
 * Calls that an agent makes at the same time take turns.
 */
export function refuseBusy({ ongoing }: ToolContext, session: Session): void {
  const work = session.shared.busyWith;
  if (work !== null && !ongoing.has(work)) throw new GranaryError("session-busy", `${sayBusy(work)}\n${otherwise}`);
}

/** An undo that waited for the cell of another client would undo that cell. */
export function refuseUndo({ ongoing }: ToolContext, session: Session): void {
  const work = session.shared.busyWith;
  if (work !== null && !ongoing.has(work))
    throw new GranaryError("session-busy", `${sayBusy(work)}\nNothing was undone.`);
}

const otherwise = 'Or run beside it with another "session", or after it with "queue": true.';

function sayBusy(work: Execution): string {
  const { id, sessionId } = work;
  const time = soFar(work);
  const printed = lastLine(work);
  return [
    `Session ${sessionId} is busy: ${id} (${nameOf(work)}) ${time === null ? "is about to run" : `has been running for ${time}`}.`,
    printed === null ? "It has printed nothing yet." : `It last printed: ${printed}`,
    `Wait for it: executions {"action": "wait", "id": "${id}"}. Stop it: {"action": "interrupt", "id": "${id}"}.`,
  ].join("\n");
}
