import { HeadTailBuffer } from "../../output/text/head-tail-buffer.ts";

/** A text and, once that was needed, the address of all of it. */
export interface KeptText {
  readonly text: string;
  readonly address: string | null;
}

/** Stores a text, and says where; null when it could not be stored. */
export type KeepText = (text: string) => Promise<string | null>;

/**
 * Makes several outputs fit into one budget. Short ones stay as they are, and long ones share what is left. Of these, the
 * beginning and the end are shown, and a line between them says where all of it is.
 */
export async function withinBudget(
  outputs: readonly KeptText[],
  budgetBytes: number,
  keep: KeepText,
): Promise<readonly KeptText[]> {
  const shares = sharesOf(
    outputs.map(({ text }) => Buffer.byteLength(text)),
    budgetBytes,
  );
  return Promise.all(
    outputs.map(async (output, index) => {
      const share = shares[index] ?? 0;
      if (Buffer.byteLength(output.text) <= share) return output;
      const address = output.address ?? (await keep(output.text));
      return { text: cut(output.text, share, address), address };
    }),
  );
}

/** How much each may have: all that it needs, if that is little, else as much as the other large ones. */
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

const lineBytes = 4096;
const manyLines = 1_000_000;

function cut(text: string, bytes: number, address: string | null): string {
  const buffer = new HeadTailBuffer({ bytes, headBytes: Math.floor(bytes * 0.4), lines: manyLines, lineBytes });
  buffer.push(text);
  const { head, tail } = buffer.show();
  return `${head}${leftOut(address)}\n${tail}`;
}

function leftOut(address: string | null): string {
  const where = address === null ? "it could not be kept" : `all of it: ${address}`;
  return `… more is left out here, because all cells of a call share one budget; ${where} …`;
}
