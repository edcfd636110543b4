import type { Execution } from "../../../session/execution/execution.ts";
import { firstLineOf } from "../../../session/recent-cells.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { sayAge } from "./say-age.ts";

const momentMs = 1000;

/** Says after a moment which cell of another client a run waits for; dispose of it when the run's first cell begins. */
export function sayBusy(session: SharedSession, say: (sentence: string) => void): Disposable {
  const first = session.busyWith;
  const timer =
    first === null ? undefined : setTimeout(() => say(busySentence(session.id, session.busyWith ?? first)), momentMs);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

function busySentence(name: string, { id, cell, startedAt }: Execution): string {
  const since = startedAt === null ? "is starting" : `has been running for ${sayAge(Date.now() - startedAt)}`;
  return (
    `${name} is busy: ${id} ${since} (${firstLineOf(cell.code)}); waiting. Ctrl-C leaves it alone. ` +
    `Run beside it with another --session, or interrupt it: granary sessions interrupt ${name}`
  );
}
