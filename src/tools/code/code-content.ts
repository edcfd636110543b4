import type { OutputTruncation } from "../../output/capture.ts";
import { displaysIn, type OutputPart } from "../../output/output-part.ts";
import { escapedParts, escapeOwnForms } from "../../output/own-lines.ts";
import type { ExecutionResult } from "../../session/execution/execution.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ToolContent } from "../definition/tool.ts";
import { picturesIn } from "./attached-pictures.ts";
import { ContentFlow } from "./content-flow.ts";
import { keep } from "./keep.ts";
import { OutputContent } from "./output-content.ts";
import { textBytes } from "./result-budget.ts";
import { type KeptOutput, withinBudget } from "./text-shares.ts";

/** The parts of a result that go into the content. */
export interface ResultOutput extends Pick<ExecutionResult, "background" | "parts" | "attempts"> {
  readonly truncation: Pick<OutputTruncation, "artifact"> | null;
  /** The artifact that lines about omitted text may name, where that is no truncation of the whole. */
  readonly omission?: Pick<OutputTruncation, "artifact">;
}

export interface CodeOutputs {
  readonly session: string;
  /** The cells that ran, in order. */
  readonly cells: readonly { readonly title: string | null; readonly result: ResultOutput }[];
  /** How many cells were requested. */
  readonly of: number;
  /** The number of the first cell here among these; 1 by default. */
  readonly first?: number | undefined;
  /** The failed cell and its consequence; null when all succeeded. */
  readonly message: string | null;
  readonly notices: readonly string[];
  /** Replaces the output of a cell without output; `(no output)` by default. */
  readonly nothing?: string | undefined;
}

export interface CodeContent {
  readonly content: readonly ToolContent[];
  /** For each cell, the address of its whole output; null when nothing was left out. */
  readonly artifacts: readonly (string | null)[];
}

/**
 * A call of `python` or `eval`, as a model reads it: the verdict, the outputs with their pictures, the notes, and links
 * to more. `docs/tools.md` has the format.
 */
export async function codeContent(context: ToolContext, outputs: CodeOutputs): Promise<CodeContent> {
  const { session, cells, of, first = 1, message, nothing = "(no output)" } = outputs;
  const keepHere = (content: Uint8Array | string, mimeType: string) => keep(context, session, content, mimeType);
  const beside = cells.some(({ result }) => picturesIn(displaysIn(result.parts)).length > 0) ? "pictures" : "nothing";
  const kept = await withinBudget(cells.flatMap(outputsOf), textBytes(context, beside), (text) =>
    keepHere(text, "text/plain"),
  );
  const content = await OutputContent.of(
    kept.map(({ parts }) => parts),
    context,
    keepHere,
  );
  const withHeaders = of > 1 || cells.some(({ result }) => result.background !== "");
  const flow = new ContentFlow();
  flow.text(message === null ? "" : `Error: ${message}`, "");
  for (const [index, { title, result }] of cells.entries()) {
    const apart = index === 0 ? "\n\n" : "\n";
    const [background = [], parts = []] = kept.slice(2 * index).map((output) => output.parts);
    if (background.length > 0) {
      flow.text("[printed since the cell before]", apart);
      content.tell(background, flow, "\n", "");
    }
    if (withHeaders) flow.text(header(title, index + first, of), background.length > 0 ? "\n" : apart);
    content.tell(parts, flow, withHeaders ? "\n" : apart, result.attempts === 0 ? "" : nothing);
  }
  flow.text([...outputs.notices, ...content.notices].map((notice) => `Note: ${notice}`).join("\n"), "\n\n");
  for (const link of [...kept.flatMap(textLink), ...cells.flatMap(({ result }) => content.links(result.parts))])
    flow.attach(link);
  return {
    content: flow.end(),
    artifacts: cells.map((_, index) => kept[2 * index + 1]?.address ?? null),
  };
}

/** Text printed before a cell and the cell's output: these share the budget. */
function outputsOf({ result }: CodeOutputs["cells"][number]): readonly KeptOutput[] {
  const { background, parts, truncation, omission = truncation } = result;
  const before: readonly OutputPart[] = background === "" ? [] : [{ type: "text", text: escapeOwnForms(background) }];
  return [
    { parts: before, address: null },
    { parts: escapedParts(parts, omission), address: truncation?.artifact ?? null },
  ];
}

/** `[cell 2/3: Load the data]` */
function header(title: string | null, number: number, of: number): string {
  return `[cell ${number}/${of}${title === null ? "" : `: ${title}`}]`;
}

function textLink({ address }: KeptOutput): readonly ToolContent[] {
  return address === null ? [] : [{ type: "link", uri: address, name: "complete output", mimeType: "text/plain" }];
}
