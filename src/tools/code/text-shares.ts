import { type OutputPart, outputOf } from "../../output/output-part.ts";
import { MarkedText, type TextMark } from "../../output/text/marked-text.ts";
import { headShare } from "../../support/usual-budget.ts";

/** An output and, if it was cut, the address of its whole text. */
export interface KeptOutput {
  readonly parts: readonly OutputPart[];
  readonly address: string | null;
}

/** Stores a text and returns its address; null when that failed. */
export type KeepText = (text: string) => Promise<string | null>;

/**
 * Fits several outputs into one budget. Short ones stay whole, and long ones share the rest: their
 * beginning and end are shown, and a line between them names the artifact with all of it.
 */
export async function withinBudget(
  outputs: readonly KeptOutput[],
  budgetBytes: number,
  keep: KeepText,
): Promise<readonly KeptOutput[]> {
  const texts = outputs.map(({ parts }) => outputOf(parts));
  // The line about what was left out is no part of the budget, or an output that was cut would be cut again.
  const sizes = texts.map((text, index) =>
    Math.max(0, Buffer.byteLength(text) - (outputs[index]?.address === null ? 0 : noticeBytes)),
  );
  const shares = sharesOf(sizes, budgetBytes);
  return Promise.all(
    outputs.map(async (output, index) => {
      const share = shares[index] ?? 0;
      if ((sizes[index] ?? 0) <= share) return output;
      const address = output.address ?? (await keep(texts[index] ?? ""));
      return { parts: cut(output.parts, share, address), address };
    }),
  );
}

/** Each output's share: all that it needs, if that is little, else an equal part of the rest. */
export function sharesOf(sizes: readonly number[], budget: number): readonly number[] {
  const shares = sizes.map(() => 0);
  const smallestFirst = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  let left = budget;
  for (const [place, { size, index }] of smallestFirst.entries()) {
    const fair = Math.floor(left / (sizes.length - place));
    const share = Math.min(size, fair);
    shares[index] = share;
    left -= share;
  }
  return shares;
}

const noticeBytes = 256;
const lineBytes = 4096;
const manyLines = 1_000_000;

function cut(parts: readonly OutputPart[], bytes: number, address: string | null): readonly OutputPart[] {
  const text = new MarkedText({ bytes, headBytes: Math.floor(bytes * headShare), lines: manyLines, lineBytes });
  const marked = new Map<TextMark, OutputPart>();
  for (const part of parts) {
    const mark = part.type === "text" ? null : { isGone: false };
    if (mark !== null) marked.set(mark, part);
    text.push(part.text, mark);
  }
  const pieces = text.pieces(text.show(), `${leftOut(address)}\n`);
  return pieces.map(({ text: shown, mark }) => {
    const part = mark === null ? undefined : marked.get(mark);
    return { ...(part ?? { type: "text" }), text: shown };
  });
}

function leftOut(address: string | null): string {
  const where = address === null ? "it could not be kept" : `all of it: ${address}`;
  return `… more is left out here, because all cells of a call share one budget; ${where} …`;
}
