import type { Captured } from "../../output/capture.ts";
import { keep } from "../code/keep.ts";
import { picturesIn, picturesWithin, withoutOldSizes } from "../code/pictures-within.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { ToolContent } from "../definition/tool.ts";

/** In base64, beside a text that fills its budget: clients refuse results that are longer. */
const mostPictureCharacters = 40_000;

/** What was captured, as a model gets it: a text, the pictures, and where there is more. */
export async function capturedContent(
  context: ToolContext,
  session: string,
  { output, displays, truncation }: Captured,
  { before, notices }: { readonly before: string; readonly notices: readonly string[] },
): Promise<readonly ToolContent[]> {
  const parts = displays.flatMap((display) => display.parts);
  const attached = await picturesWithin(picturesIn(displays), mostPictureCharacters, (bytes, mimeType) =>
    keep(context, session, bytes, mimeType),
  );
  const notes = [...notices, ...attached.notices].map((notice) => `Note: ${notice}`).join("\n");
  const text = [before, withoutOldSizes(output, attached).replace(/\n$/, ""), notes]
    .filter((part) => part !== "")
    .join("\n\n");
  const addresses = [
    truncation?.artifact ?? null,
    ...parts.map((part) => (part.type === "kept" ? part.address : null)),
  ];
  const links = addresses
    .filter((address) => address !== null)
    .map((uri) => ({ type: "link", uri, name: "more of it", mimeType: null }) as const);
  return [{ type: "text", text }, ...attached.content, ...links];
}
