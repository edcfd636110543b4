import { findHistory } from "../../../hub/history/find-history.ts";
import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import type { HistoryAct } from "../../../hub/history/history-entry.ts";
import type { SessionFacts } from "../../../hub/session-facts.ts";
import type { SessionWish } from "../../../hub/session-wish.ts";
import { granaryHome } from "../../../settings/granary-home.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import type { CommandContext } from "../command/command-context.ts";
import { askRunningHub } from "../hub/hub-control.ts";

/** A session that lives or has lived. */
interface FoundSession {
  readonly name: string;
  readonly folder: string;
  /** Null when it has no kernel. */
  readonly session: SessionFacts | null;
  readonly cells: readonly HistoryCell[];
  readonly acts: readonly HistoryAct[];
  /** Lines of the history that are left out. */
  readonly damagedLines: number;
}

/** The session that is meant, with all cells whose results were shown: the hub answers when they are on disk. */
export async function findSessionCells(wish: SessionWish, context: CommandContext): Promise<FoundSession> {
  const session = await askRunningHub<SessionFacts>(context, "describe", wish).catch(nullIfUnknown);
  const { name, folder } = session ?? wish;
  const stored = findHistory(granaryHome(context.env), session === null ? wish : { name, folder, elsewhere: false });
  // A session without a finished cell has no history yet.
  const history = await (session === null ? stored : stored.catch(nullIfUnknown));
  const { owner = { name, folder }, cells = [], acts = [], damagedLines = 0 } = history ?? {};
  return { ...owner, session, cells, acts, damagedLines };
}

function nullIfUnknown(error: unknown): null {
  if (isGranaryError(error, "unknown-session")) return null;
  throw error;
}
