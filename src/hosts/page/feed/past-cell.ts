import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import type { NotebookOutput } from "../../../notebook/output.ts";
import type { OutputPart } from "../../../output/output-part.ts";
import { sayUndone } from "../../../session/checkpoints/say-undone.ts";
import type { Json, PageCell, PageOutput } from "../api/cells.ts";
import { appendText, noText } from "../api/long-text.ts";
import { tracebackParts } from "./traceback-parts.ts";

/** A cell of the stored history. */
export function pastCell(cell: HistoryCell): PageCell {
  const { id, by, code, title = null, status, durationMs, executionCount, generation, at } = cell;
  return {
    ...{ id, by, code, title, state: status, durationMs, count: executionCount, generation },
    startedAt: Date.parse(at) - durationMs,
    ...{ notice: null, question: null, artifact: null },
    undone: cell.undone === undefined ? null : sayUndone(cell.undone),
    outputs: [...cell.outputs.map(pageOutput), ...failureOutput(cell)],
  };
}

/** As the feed of a living session shows it. */
function failureOutput({ failure }: HistoryCell): readonly PageOutput[] {
  return failure === undefined ? [] : [{ kind: "error", name: failure.code, message: failure.message, traceback: [] }];
}

/** An output in nbformat, as the page shows it. */
export function pageOutput(output: NotebookOutput): PageOutput {
  switch (output.output_type) {
    case "stream": {
      const text = typeof output.text === "string" ? output.text : output.text.join("");
      return appendText(noText(output.name === "stderr" ? "stderr" : "stdout"), text);
    }
    case "error": {
      const { ename, evalue, traceback } = output;
      return { kind: "error", name: ename, message: evalue, traceback: tracebackParts(traceback) };
    }
    default: {
      const { data, metadata } = output as { data: Record<string, Json>; metadata: Record<string, Json> };
      return { kind: "display", displayId: null, data, metadata, tooLarge: {} };
    }
  }
}

/** The output so far of a cell that ran before the page was opened. */
export function outputsSoFar(parts: readonly OutputPart[]): readonly PageOutput[] {
  return parts.flatMap((part): readonly PageOutput[] => {
    if (part.type === "error") {
      return [{ kind: "error", name: part.name, message: "", traceback: tracebackParts(part.text.split("\n")) }];
    }
    const text: readonly PageOutput[] = part.text === "" ? [] : [appendText(noText("stdout"), part.text)];
    if (part.type === "text") return text;
    const pictures = part.display.parts.flatMap((shown): readonly PageOutput[] =>
      shown.type === "image"
        ? [
            {
              ...{ kind: "display", displayId: part.display.displayId, metadata: {}, tooLarge: {} },
              data: { [shown.mimeType]: shown.base64 },
            },
          ]
        : [],
    );
    return pictures.length > 0 ? pictures : text;
  });
}
