import type { Execution } from "../../../session/execution/execution.ts";
import { statusMark } from "../../../view/lines/status-mark.ts";
import { clamp } from "../../../view/text/fit.ts";
import { oneLine, printableLines } from "../../../view/text/printable.ts";
import { lastRows } from "../../../view/text/rows.ts";
import type { Look, TranscriptBlock } from "./block.ts";

const mostShown = 10;
const tailRows = 3;
const tailBytes = 2048;

/** Executions with the end of their output; live until another block follows. */
export class ExecutionsBlock implements TranscriptBlock {
  readonly #executions: () => readonly Execution[];
  #settled: readonly Execution[] | null = null;
  #lines: readonly string[] | null = null;

  constructor(executions: () => readonly Execution[]) {
    this.#executions = executions;
  }

  settle(): void {
    this.#settled ??= this.#executions();
  }

  render(look: Look): readonly string[] {
    if (this.#settled !== null && this.#lines !== null) return this.#lines;
    const all = this.#settled ?? this.#executions();
    this.#lines =
      all.length === 0 ? ["Nothing has run yet."] : all.slice(-mostShown).flatMap((each) => rows(each, look));
    return this.#lines;
  }
}

function rows(execution: Execution, { width, theme }: Look): readonly string[] {
  const { id, sessionId, status, cell } = execution;
  const mark = statusMark(status === "queued" ? "pending" : status, theme);
  const head = `${mark} ${id} ${theme.muted(`${status} in ${sessionId}`)}  ${oneLine(cell.title ?? cell.code)}`;
  const { rows: tail } = lastRows(printableLines(execution.tail(tailBytes).trimEnd()), width - 4, tailRows);
  return [clamp(head, width), ...tail.filter((row) => row !== "").map((row) => `    ${theme.muted(row)}`)];
}
