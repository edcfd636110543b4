import type { Captured } from "../../output/capture.ts";
import { escapedOutputs } from "../../output/own-lines.ts";
import { ContentFlow } from "../code/content-flow.ts";
import { keep } from "../code/keep.ts";
import { OutputContent } from "../code/output-content.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ToolContent } from "../definition/tool.ts";

/** Captured output for a model: text and pictures in order, and links to more. */
export async function capturedContent(
  context: ToolContext,
  session: string,
  captured: Captured,
  { before, notices }: { readonly before: string; readonly notices: readonly string[] },
): Promise<readonly ToolContent[]> {
  const { truncation } = captured;
  const parts = escapedOutputs(captured.parts, truncation);
  const content = await OutputContent.of([parts], context, (bytes, mimeType) =>
    keep(context, session, bytes, mimeType),
  );
  const flow = new ContentFlow();
  flow.text(before, "");
  content.tell(parts, flow, "\n\n", "");
  flow.text([...notices, ...content.notices].map((notice) => `Note: ${notice}`).join("\n"), "\n\n");
  const addresses = [truncation?.artifact ?? null, ...content.links(parts).map(addressOf)];
  const links = addresses
    .filter((address) => address !== null)
    .map((uri) => ({ type: "link", uri, name: "more of it", mimeType: null }) as const);
  return [...flow.end(), ...links];
}

const addressOf = (part: ToolContent): string | null => (part.type === "link" ? part.uri : null);
