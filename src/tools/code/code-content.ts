import type { ShownPart } from "../../output/capture.ts";
import type { ExecutionResult } from "../../session/execution/execution.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ToolContent } from "../definition/tool.ts";
import { codeText } from "./code-text.ts";
import { keep } from "./keep.ts";
import { picturesIn, picturesWithin, withoutOldSizes } from "./pictures-within.ts";
import { type KeptText, withinBudget } from "./text-shares.ts";

/** What of a result goes into the content. */
export type ResultOutput = Pick<ExecutionResult, "background" | "output" | "truncation" | "displays" | "attempts">;

export interface CodeOutputs {
  readonly session: string;
  /** Those that had their turn, in order. */
  readonly cells: readonly { readonly title: string | null; readonly result: ResultOutput }[];
  /** How many were asked for. */
  readonly of: number;
  readonly message: string | null;
  readonly notices: readonly string[];
  /** What stands for a cell that has put out nothing; `(no output)` by default. */
  readonly nothing?: string | undefined;
}

/**
 * Clients refuse results above some 25,000 tokens and count the bytes of pictures. At four characters a token, this leaves
 * something for what a host adds.
 */
const mostCharacters = 90_000;
const leastForPictures = 24_000;

export interface CodeContent {
  readonly content: readonly ToolContent[];
  /** For each cell, where all of its output is; null when nothing was left out. */
  readonly artifacts: readonly (string | null)[];
}

/** What a model gets of a call: one text, then the pictures, then where there is more. */
export async function codeContent(context: ToolContext, outputs: CodeOutputs): Promise<CodeContent> {
  const { session, cells, of, message, nothing } = outputs;
  const { budgetBytes } = context.runtime.settings.output;
  const keepHere = (content: Uint8Array | string, mimeType: string) => keep(context, session, content, mimeType);
  const texts = await withinBudget(cells.flatMap(textsOf), budgetBytes, (text) => keepHere(text, "text/plain"));
  const pictures = cells.flatMap(({ result }) => picturesIn(result.displays));
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const attached = await picturesWithin(pictures, Math.max(leastForPictures, mostCharacters - length), keepHere);
  const text = codeText({
    cells: cells.map(({ title, result }, index) => ({
      title,
      background: texts[2 * index]?.text ?? "",
      output: withoutOldSizes(texts[2 * index + 1]?.text ?? "", attached),
      pictures: picturesIn(result.displays).length,
      couldNotRun: result.attempts === 0,
    })),
    of,
    message,
    notices: [...outputs.notices, ...attached.notices],
    nothing,
  });
  const links = [...texts.flatMap(textLink), ...cells.flatMap((cell) => keptLinks(cell, attached.resized))];
  return {
    content: [{ type: "text", text }, ...attached.content, ...links],
    artifacts: cells.map((_, index) => texts[2 * index + 1]?.address ?? null),
  };
}

/** What was printed before a cell and what it put out: these share the budget. */
function textsOf({ result }: CodeOutputs["cells"][number]): readonly KeptText[] {
  const { background, output, truncation } = result;
  return [
    { text: background, address: null },
    { text: output, address: truncation?.artifact ?? null },
  ];
}

function partsOf({ displays }: ResultOutput): readonly ShownPart[] {
  return displays.flatMap(({ parts }) => parts);
}

function textLink({ address }: KeptText): readonly ToolContent[] {
  return address === null ? [] : [{ type: "link", uri: address, name: "complete output", mimeType: "text/plain" }];
}

function keptLinks({ result }: CodeOutputs["cells"][number], resized: ReadonlySet<string>): readonly ToolContent[] {
  return partsOf(result).flatMap((part) => {
    if (part.type !== "kept" || part.address === null) return [];
    const name = resized.has(part.address) ? part.label.replace(/, shown at \d+x\d+$/, "") : part.label;
    return [{ type: "link", uri: part.address, name, mimeType: part.mimeType } as const];
  });
}
