import type { Execution } from "../../../session/execution/execution.ts";
import { firstLineOf } from "../../../session/recent-cells.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { shellWord } from "../../../support/shell-word.ts";
import { sayAge } from "./say-age.ts";

const momentMs = 1000;

/**
 * Says after a moment what a run waits for: the cell of another client, or a place for its kernel. Dispose of it when the run's
 * first cell begins.
 */
export function sayBusy(session: SharedSession, say: (sentence: string) => void): Disposable {
  const first = session.busyWith;
  const timer = setTimeout(() => {
    const now = session.busyWith ?? first;
    const sentence = first === null ? whyNoKernel(session.id, now) : now && busySentence(session.id, now);
    if (sentence !== null) say(sentence);
  }, momentMs);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/** Null where nothing is in the way, and the kernel only takes its time. */
function whyNoKernel(name: string, own: Execution | null): string | null {
  const events = own?.poll(0).map(({ event }) => event) ?? [];
  const last = events.findLast(({ type }) => type === "waiting");
  return last?.type === "waiting" ? `${name} waits: ${last.reason}` : null;
}

function busySentence(name: string, { id, cell, startedAt }: Execution): string {
  const since = startedAt === null ? "is starting" : `has been running for ${sayAge(Date.now() - startedAt)}`;
  return (
    `${name} is busy: ${id} ${since} (${firstLineOf(cell.code)}); waiting. Ctrl-C leaves it alone. ` +
    `Run beside it with another --session, or interrupt it: granary sessions interrupt ${shellWord(name)}`
  );
}
