import { withActs } from "../../../hub/history/history-entry.ts";
import type { SessionWish } from "../../../hub/session-wish.ts";
import { sayCount } from "../../../support/say-count.ts";
import { sayCheckpoints } from "../../../tools/context/say-checkpoints.ts";
import type { CommandContext } from "../command/command-context.ts";
import { historyLines } from "../hub/history-lines.ts";
import { sessionTable } from "../hub/session-table.ts";
import { findSessionCells } from "./find-session-cells.ts";
import { sayFolder, typeAgain } from "./typed-session.ts";

const shownCells = 10;

/**
 * A session with its last cells, for people and for programs.
 * @param all with all cells of its history
 */
export async function showSession(
  wish: SessionWish,
  context: CommandContext,
  { all = false }: { readonly all?: boolean | undefined } = {},
): Promise<{ readonly document: object; readonly text: string }> {
  const found = await findSessionCells(wish, context);
  const { name, folder, session, cells, acts, damagedLines } = found;
  const head =
    session === null
      ? `The session ${name}${sayFolder(folder, context)} has no kernel.\n`
      : sessionTable([session], Date.now());
  const states = session === null ? null : sayCheckpoints(session.checkpoints);
  const shown = all ? cells : cells.slice(-shownCells);
  const left = cells.length - shown.length;
  const more = `… ${sayCount(left, "earlier cell")}: granary sessions show ${typeAgain(found, context)} --all`;
  const lines = [
    ...(states === null ? [] : [states, ""]),
    ...(damagedLines > 0 ? [`Left out of the history: ${sayCount(damagedLines, "damaged line")}.`] : []),
    ...(left > 0 ? [more] : []),
    ...withActs(shown, acts).flatMap((cell) => historyLines(cell)),
  ];
  return { document: { session, history: cells }, text: `${head}\n${lines.join("\n")}\n` };
}
