import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import type { Execution } from "../../../session/execution/execution.ts";
import { sayCount } from "../../../support/say-count.ts";
import { shellWord } from "../../../support/shell-word.ts";
import type { TranscriptBlock } from "../blocks/block.ts";
import { NoteBlock } from "../blocks/note-block.ts";
import { PastCellBlock } from "../blocks/past-cell-block.ts";
import type { Workbench } from "../workbench.ts";

const mostShown = 10;

/** Shows the past cells of a kept session, then the cells of other clients as they run. */
export async function joinSession(
  workbench: Workbench,
  add: (block: TranscriptBlock) => void,
  follow: (execution: Execution) => void,
): Promise<void> {
  // A cell that begins during the reading comes after the history.
  const began: Execution[] = [];
  let hasHistory = false;
  const running = workbench.followOthers((execution) => {
    if (hasHistory) follow(execution);
    else began.push(execution);
  });
  const live = new Set([...running, ...began].map(({ id }) => id));
  const cells = (await workbench.history()).filter(({ id }) => !live.has(id) && !began.some((one) => one.id === id));
  hasHistory = true;
  for (const block of pastBlocks(cells, workbench)) add(block);
  for (const execution of [...running, ...began]) follow(execution);
}

/** The last cells, and a line about those before. */
export function pastBlocks(
  cells: readonly HistoryCell[],
  { session, language }: Workbench,
  count = mostShown,
): readonly TranscriptBlock[] {
  const left = cells.length - count;
  const earlier = `… ${sayCount(left, "earlier cell")}: /history ${cells.length}, or granary sessions save ${shellWord(session.id)} FILE.ipynb`;
  return [
    ...(left > 0 ? [new NoteBlock(earlier, { style: "muted" })] : []),
    ...cells.slice(-count).map((cell) => new PastCellBlock(cell, language)),
  ];
}
