import type { SessionWish } from "../../../hub/session-wish.ts";
import { sayCount } from "../../../support/say-count.ts";
import { sayCheckpoints } from "../../../tools/context/say-checkpoints.ts";
import type { CommandContext } from "../command/command-context.ts";
import { historyLines } from "../hub/history-lines.ts";
import { sessionTable } from "../hub/session-table.ts";
import { findCells } from "./find-cells.ts";
import { sayWhere, typeAgain } from "./typed-session.ts";

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
  const found = await findCells(wish, context);
  const { name, folder, session, cells } = found;
  const head =
    session === null
      ? `The session ${name}${sayWhere(folder, context)} has no kernel.\n`
      : sessionTable([session], Date.now());
  const states = session === null ? null : sayCheckpoints(session.checkpoints);
  const shown = all ? cells : cells.slice(-shownCells);
  const left = cells.length - shown.length;
  const more = `… ${sayCount(left, "earlier cell")}: granary sessions show ${typeAgain(found, context)} --all`;
  const lines = [
    ...(states === null ? [] : [states, ""]),
    ...(left > 0 ? [more] : []),
    ...shown.flatMap((cell) => historyLines(cell)),
  ];
  return { document: { session, history: cells }, text: `${head}\n${lines.join("\n")}\n` };
}
