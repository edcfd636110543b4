import { z } from "zod";
import { headWithin } from "../output/text/utf8-cut.ts";
import { sayCount } from "../support/say-count.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { WriteDetails } from "./definition/details.ts";
import type { Tool } from "./definition/tool.ts";
import { type FoundTarget, findWholeTarget } from "./files/find-target.ts";
import { requireWholeCharacters } from "./files/whole-characters.ts";
import { makeWay, writeTextFile } from "./files/write-text-file.ts";

/** Makes or replaces a file. */
export function createWriteTool(context: ToolContext): Tool<WriteDetails> {
  return defineTool({
    name: "write",
    title: "Write a file",
    description,
    input: z.strictObject({ path: z.string().min(1, "expected a path"), content: z.string() }),
    output: z.object({ path: z.string(), created: z.boolean(), bytes: z.number(), lines: z.number() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ path: named, content }, { signal }) {
      requireWholeCharacters(content, "content");
      const target = await findWholeTarget(context, named);
      signal?.throwIfAborted();
      const created = await writeTarget(target, content, signal);
      const bytes = Buffer.byteLength(content);
      const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length;
      const said = { path: target.place.path, created, bytes, lines };
      const text = `${created ? "Created" : "Wrote"} ${target.path}: ${sayCount(lines, "line")}.`;
      return {
        content: [{ type: "text", text }],
        isError: false,
        details: { ...said, text: headWithin(content, shownBytes) },
        structured: said,
      };
    },
  });
}

const description = `Makes or replaces a file, and makes missing folders. To change a part of one, use edit. \
A notebook is written as cell text; "# %% [code] cell:3" keeps the outputs of cell 3.

{"path": "analysis.ipynb", "content": "# %% [markdown]\\n# # Title\\n# %%\\nprint(6 * 7)\\n"}`;

/** For hosts that show the call. */
const shownBytes = 20_000;

async function writeTarget(
  { place, path, isNotebook }: FoundTarget,
  content: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!path.endsWith(".ipynb")) return writeTextFile(place, content, signal);
  const { checkedCellText, checkedNotebook, updateCellText } = await import("./files/notebook-text.ts");
  // Cell text begins with a marker, so it is unambiguous.
  const isJson = !isNotebook || content.trimStart().startsWith("{");
  if (isJson) return writeTextFile(place, checkedNotebook(content, path), signal);
  const text = checkedCellText(content);
  const created = await makeWay(place);
  await updateCellText(place, () => text, { orEmpty: created, signal });
  return created;
}
