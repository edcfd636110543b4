import type { CodeDetails } from "../../tools/definition/details.ts";
import { renderCellBlock } from "../cell-block.ts";
import { noticeLines } from "../lines/notice-lines.ts";
import { previewLines } from "../lines/preview-lines.ts";
import type { ViewOptions } from "../view-options.ts";

/** `python` and `eval`: every cell, and why the call failed. */
export function renderCodeResult(details: CodeDetails, options: ViewOptions): readonly string[] {
  const { cells, message, background } = details;
  const of = cells.length;
  const blocks = cells.map((cell, index) => {
    const number = of === 1 ? undefined : { at: index + 1, of };
    return renderCellBlock(cell, { ...options, previewLines, number });
  });
  // With one cell, its block has shown the reason.
  const failure = noticeLines(message === null || of < 2 ? [] : [message], options, options.theme.error);
  const whereabouts = background ? [`Continues in the background: ${idsOf(details)}.`] : [];
  return [
    ...[...blocks, failure].filter((block) => block.length > 0).flatMap(apart),
    ...noticeLines(whereabouts, options, options.theme.muted),
  ];
}

/** Blocks one below the other, with an empty line between them. */
const apart = (block: readonly string[], index: number): readonly string[] => (index === 0 ? block : ["", ...block]);

function idsOf({ cells }: CodeDetails): string {
  return cells.map(({ executionId }) => executionId).join(", ");
}
