import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import { pastOutputText } from "../../../hub/history/past-output-text.ts";
import { visibleText } from "../../../output/text/visible-text.ts";
import { sayUndone } from "../../../session/checkpoints/say-undone.ts";

const mostLines = 12;

/** A cell of a history: who ran it, its code, and its text. */
export function historyLines(cell: HistoryCell): readonly string[] {
  const { id, by, at, code, status, executionCount, undone } = cell;
  const number = executionCount === null ? "" : ` · cell ${executionCount}`;
  const ended = status === "ok" ? "" : `, ${status}`;
  const gone = undone === undefined ? "" : ` · ${sayUndone(undone)}`;
  return [
    `── ${id} · ${by} · ${at.replace("T", " ").slice(0, 19)}${number}${ended}${gone}`,
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
