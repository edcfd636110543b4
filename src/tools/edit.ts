import { stat } from "node:fs/promises";
import { z } from "zod";
import { sayCount } from "../support/say-count.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { EditFileDetails } from "./definition/details.ts";
import type { Tool } from "./definition/tool.ts";
import { findWholeTarget } from "./files/find-target.ts";
import { type Replacement, replaceText } from "./files/text/replace-text.ts";
import { changedLines, unifiedDiff } from "./files/text/unified-diff.ts";
import { updateTextFile } from "./files/update-text-file.ts";
import { requireWholeCharacters } from "./files/whole-characters.ts";

/** Replaces text in a file. */
export function createEditTool(context: ToolContext): Tool<EditFileDetails> {
  return defineTool({
    name: "edit",
    title: "Edit a file",
    description,
    input: z.strictObject({
      path: z.string().min(1, "expected a path"),
      edits: z
        .array(z.strictObject({ old: z.string(), new: z.string(), all: z.boolean().optional() }))
        .min(1, "needs at least one edit"),
    }),
    output: z.object({ path: z.string(), replacements: z.number(), diff: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ path: named, edits }, { signal }) {
      for (const { new: replacement } of edits) requireWholeCharacters(replacement, "new");
      const { place, path: name, raw, isNotebook } = await findWholeTarget(context, named);
      const notebooks = name.endsWith(".ipynb") ? await import("./files/notebook-text.ts") : null;
      let replacements = 0;
      const change = (text: string): string => {
        signal?.throwIfAborted();
        const replaced = replaceText(text, edits);
        replacements = replaced.replacements;
        return raw && notebooks !== null ? notebooks.checkedNotebook(replaced.text, name) : replaced.text;
      };
      const orEmpty = isNotebook && beginsAnew(edits) && (await isMissing(place.real));
      const { before, after } =
        isNotebook && notebooks !== null
          ? await notebooks.updateCellText(place, change, { orEmpty, signal })
          : await updateTextFile(place, change, signal);
      const details = { path: place.path, replacements, diff: unifiedDiff(before, after) };
      const text = `Edited ${name}: ${sayCount(replacements, "replacement")}${placesIn(details.diff)}.`;
      return { content: [{ type: "text", text }], isError: false, details, structured: details };
    },
  });
}

const description = `Replaces text in a file. old must occur exactly once, unless all is set; copy it as read shows it, with enough around it. \
Several edits are made in order, all or none. In a notebook, edit the cell text.

{"path": "src/app.py", "edits": [{"old": "debug = True", "new": "debug = False"}]}`;

/** An empty `old` creates a missing file. */
function beginsAnew([first]: readonly Replacement[]): boolean {
  return first?.old === "";
}

async function isMissing(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) === null;
}

/** `, at line 3`; empty when there are too many to be useful. */
function placesIn(diff: string): string {
  const lines = changedLines(diff);
  if (lines.length === 0 || lines.length > 10) return "";
  return `, at line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}`;
}
