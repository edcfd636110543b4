import { findArtifact } from "../../../output/artifacts/read/find-artifact.ts";
import { readBytes } from "../../../output/artifacts/read/read-artifact.ts";
import { ok, type Route } from "../../../support/http/route.ts";

/** Of one answer. */
const mostBytes = 200_000;
const newline = 0x0a;

/** The whole text of a long output, in parts of whole lines. */
export function artifactRoutes(root: string): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/page/api/artifacts/:artifact",
      handle: async ({ named, query }) => {
        const artifact = await findArtifact(root, named.artifact ?? "");
        const { bytes } = artifact;
        const from = Math.max(0, Math.min(Number(query.get("from")) || 0, bytes));
        // With the byte before it, which tells whether a line begins there.
        const start = Math.max(0, from - 1);
        const chunks: Uint8Array[] = [];
        for await (const chunk of readBytes(artifact, [{ from: start, to: start + mostBytes }])) chunks.push(chunk);
        const part = Buffer.concat(chunks);
        const { first, last } = wholeLines(part, start === 0, start + part.length >= bytes);
        const text = part.toString("utf8", first, last).replaceAll("\ufffd", "");
        return ok({ text, from: start + first, to: start + last, bytes });
      },
    },
  ];
}

/** The lines of a part that are whole. A line that is longer than the part is cut. */
function wholeLines(
  part: Buffer,
  isFirst: boolean,
  isLast: boolean,
): { readonly first: number; readonly last: number } {
  const first = isFirst ? 0 : part.indexOf(newline) + 1;
  const last = isLast ? part.length : part.lastIndexOf(newline) + 1;
  return last > first ? { first, last } : { first: isFirst ? 0 : 1, last: part.length };
}
