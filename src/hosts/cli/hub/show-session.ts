import { findHistory } from "../../../hub/history/find-history.ts";
import type { SessionFacts } from "../../../hub/session-facts.ts";
import { isGranaryError } from "../../../support/granary-error.ts";
import { sayCount } from "../../../support/say-count.ts";
import { shellWord } from "../../../support/shell-word.ts";
import { sayCheckpoints } from "../../../tools/context/say-checkpoints.ts";
import type { CommandContext } from "../command/command-context.ts";
import { historyLines } from "./history-lines.ts";
import { askRunningHub } from "./hub-control.ts";
import { sessionTable } from "./session-table.ts";

const shownCells = 10;

/**
 * A session with its last cells, for people and for programs.
 * @param all with all cells of its history
 */
export async function showSession(
  wish: { readonly name: string; readonly folder: string },
  home: string,
  context: CommandContext,
  { all = false }: { readonly all?: boolean | undefined } = {},
): Promise<{ readonly document: object; readonly text: string }> {
  const session = await askRunningHub<SessionFacts>(context, "describe", wish).catch((error) => {
    if (isGranaryError(error, "unknown-session")) return null;
    throw error;
  });
  // A session without a finished cell has no history yet.
  const history = await findHistory(
    home,
    session === null ? wish : { name: session.name, folder: session.folder },
  ).catch((error) => {
    if (session !== null && isGranaryError(error, "unknown-session")) return { cells: [], damagedLines: 0 };
    throw error;
  });
  const { cells, damagedLines } = history;
  const head = session === null ? `The session ${wish.name} has no kernel.\n` : sessionTable([session], Date.now());
  const states = session === null ? null : sayCheckpoints(session.checkpoints);
  const shown = all ? cells : cells.slice(-shownCells);
  const left = cells.length - shown.length;
  const more = `… ${sayCount(left, "earlier cell")}: granary sessions show ${shellWord(wish.name)} --all`;
  const lines = [
    ...(states === null ? [] : [states, ""]),
    ...(damagedLines > 0 ? [`Left out of the history: ${sayCount(damagedLines, "damaged line")}.`] : []),
    ...(left > 0 ? [more] : []),
    ...shown.flatMap((cell) => historyLines(cell)),
  ];
  return { document: { session, history: cells }, text: `${head}\n${lines.join("\n")}\n` };
}
