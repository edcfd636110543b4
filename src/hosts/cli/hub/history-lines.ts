import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import type { HistoryAct } from "../../../hub/history/history-entry.ts";
import { pastOutputText } from "../../../hub/history/past-output-text.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { sayUndone } from "../../../session/checkpoints/say-undone.ts";

const mostLines = 12;

/** A cell of a history: who ran it, its code, and its text; or a line about what is no cell, such as an undo. */
export function historyLines(cell: HistoryCell | HistoryAct): readonly string[] {
  const { id, by, at, status } = cell;
  const ended = status === "ok" ? "" : ` · ${status}`;
  const head = `── ${id} · ${by} · ${at.replace("T", " ").slice(0, 19)}`;
  if ("mark" in cell) return [visibleText(`${head} · ${cell.title}${ended}`)];
  const { code, executionCount, undone } = cell;
  const number = executionCount === null ? "" : ` · cell ${executionCount}`;
  const gone = undone === undefined ? "" : ` · ${sayUndone(undone)}`;
  return [
    `${head}${number}${ended}${gone}`,
    ...firstLines(code).map((line) => `> ${line}`),
    ...firstLines(pastOutputText(cell).trimEnd()),
  ].map((line) => visibleText(line));
}

function firstLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `… ${lines.length - mostLines + 1} more lines`];
}
