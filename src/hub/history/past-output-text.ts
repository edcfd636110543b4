import { joined } from "../../notebook/cell.ts";
import type { NotebookOutput } from "../../notebook/output.ts";
import { sanitize } from "../../output/text/sanitize.ts";
import type { HistoryCell } from "./history-cell.ts";

/** The outputs of a cell of a history as text, for a terminal. */
export function pastOutputText({ outputs, failure }: Pick<HistoryCell, "outputs" | "failure">): string {
  const text = outputs.map(textOf).join("");
  if (failure === undefined) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${plain(failure.message)}\n`;
}

function textOf(output: NotebookOutput): string {
  if (output.output_type === "stream") return plain(joined(output.text));
  if (output.output_type === "error") return `${plain(output.traceback.join("\n"))}\n`;
  const { "text/plain": text, ...others } = output.data;
  const isPicture = Object.keys(others).some((mime) => mime.startsWith("image/"));
  if (isPicture) return "[a picture; granary page shows it]\n";
  if (text === undefined) return `[${Object.keys(output.data).join(", ")}]\n`;
  return `${plain(joined(text))}\n`;
}

/** As a screen would have it: without colours, and with progress bars as they were at the end. */
function plain(text: string): string {
  return /[^\P{Cc}\n\t]/u.test(text) ? sanitize(text) : text;
}
