import type { HistoryCell } from "../../../hub/history/history-cell.ts";
import { pastOutputText } from "../../../hub/history/past-output-text.ts";
import { sayUndone } from "../../../session/checkpoints/say-undone.ts";
import { renderOutput } from "../../../view/lines/output-lines.ts";
import { interactivePreviewLines } from "../../../view/lines/preview-lines.ts";
import { type Look, RenderedLines, type TranscriptBlock } from "./block.ts";
import { ranBy } from "./ran-by.ts";
import { typedCode } from "./typed-code.ts";

/** A cell that ran before this console was opened. */
export class PastCellBlock implements TranscriptBlock {
  readonly #cell: HistoryCell;
  readonly #language: string;
  readonly #lines = new RenderedLines();

  constructor(cell: HistoryCell, language: string) {
    this.#cell = cell;
    this.#language = language;
  }

  render(look: Look): readonly string[] {
    return this.#lines.get(look, "", () => {
      const { id, by, at, code, status, executionCount, undone } = this.#cell;
      const { width, theme, expanded } = look;
      const number = executionCount === null ? "" : ` · cell ${executionCount}`;
      const ended = status === "ok" ? "" : ` · ${status}`;
      const gone = undone === undefined ? "" : ` · ${sayUndone(undone)}`;
      const shown = { width, theme, expanded, previewLines: interactivePreviewLines, keeps: "both-ends" } as const;
      return [
        ranBy(look, by, `${id} · ${new Date(at).toTimeString().slice(0, 5)}${number}${ended}${gone}`),
        ...typedCode(code, this.#language, look),
        ...renderOutput(pastOutputText(this.#cell), shown),
      ];
    });
  }
}
