import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import { visibleText } from "../../../output/text/visible-text.ts";

const mostLines = 12;

/** A cell of a history: who ran it, its code, and its text. */
export function historyLines({ id, by, at, code, status, executionCount, outputs }: HistoryCell): readonly string[] {
  const number = executionCount === null ? "" : ` · cell ${executionCount}`;
  const ended = status === "ok" ? "" : `, ${status}`;
  const text = outputs.map((output) => {
    if (output.output_type === "stream") return [output.text].flat().join("");
    if (output.output_type === "error") return output.traceback.join("\n");
    return `[${Object.keys(output.data).join(", ")}]`;
  });
  return [
    `── ${id} · ${by} · ${at.replace("T", " ").slice(0, 19)}${number}${ended}`,
    ...firstLines(code).map((line) => `> ${line}`),
    ...firstLines(text.join("").trimEnd()),
  ].map((line) => visibleText(line));
}

function firstLines(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `… ${lines.length - mostLines + 1} more lines`];
}
