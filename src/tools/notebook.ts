import { z } from "zod";
import { GranaryError, isGranaryError } from "../support/granary-error.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { NotebookDetails } from "./definition/details.ts";
import type { Tool } from "./definition/tool.ts";
import { findWholeTarget } from "./files/find-target.ts";
import type { NamedFile } from "./files/named-file.ts";
import { requireOpenable } from "./files/open-file.ts";
import { chosenCells } from "./notebook/chosen-cells.ts";
import { type EditInput, editActions, editFields, parseEdit, toEdits } from "./notebook/edit-input.ts";
import { type RunInput, runFields } from "./notebook/run-input.ts";

export interface NotebookToolOptions {
  /** Whether notebooks can be run; true by default. */
  readonly runs?: boolean | undefined;
}

/** Edits, shows and runs notebooks. */
export function createNotebookTool(
  context: ToolContext,
  { runs = true }: NotebookToolOptions = {},
): Tool<NotebookDetails> {
  const { cells: _, from, ...onlyForRuns } = runFields;
  const running = ["run", "verify"] as const;
  const actions = [
    ...editActions,
    "batch",
    "show",
    "find",
    "outline",
    "check",
    "new",
    ...(runs ? running : []),
  ] as Action[];
  return defineTool({
    name: "notebook",
    title: "Edit or run a notebook",
    description: runs ? `${description}\n\n${aboutRuns}` : description,
    input: z.strictObject({
      action: z.enum(actions),
      path: z.string().min(1, "expected a path"),
      ...editFields,
      edits: z
        .array(z.looseObject({}))
        .min(1, "needs at least one edit")
        .optional()
        .describe("of batch: as single calls"),
      ...(runs && { from: from.meta({ hidden: true }), ...onlyForRuns }),
    }),
    output: z.looseObject({ path: z.string() }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    failureDetails: (input): NotebookDetails | null => {
      const { path } = (input ?? {}) as { readonly path?: unknown };
      return typeof path === "string" ? { action: "failed", path } : null;
    },
    async run(input, call) {
      const { place, path: name } = await findWholeTarget(context, input.path);
      const { action } = input;
      if (action !== "new") await requireNotebook(place);
      switch (action) {
        case "run":
        case "verify": {
          const { runInSession } = await import("./notebook/run-in-session.ts");
          return runInSession(
            context,
            place,
            { ...(input as RunInput), cells: undefined, ...chosenCells(input), action },
            call,
          );
        }
        case "find":
        case "outline": {
          const { findCells, outlineCells } = await import("./notebook/find-cells.ts");
          return action === "find" ? findCells(context, place, input.content) : outlineCells(context, place);
        }
        case "show":
        case "check":
        case "new": {
          const { checkCells, makeNotebook, showCells } = await import("./notebook/show-cells.ts");
          if (action === "show") return showCells(context, place, chosenCells(input));
          return action === "check" ? checkCells(place, name) : makeNotebook(place, name);
        }
        default: {
          const edits = action === "batch" ? editsOf(input.edits) : toEdits({ ...input, action });
          const { editCells } = await import("./notebook/edit-cells.ts");
          return editCells(place, edits, call.signal);
        }
      }
    },
  });
}

type Action = EditInput["action"] | "batch" | "show" | "find" | "outline" | "check" | "new" | "run" | "verify";

function editsOf(edits: readonly unknown[] | undefined): ReturnType<typeof toEdits> {
  if (edits === undefined)
    throw new GranaryError("input", '"batch" needs edits: [{"action": "delete", "cells": "3"}, …].');
  return edits.flatMap((edit, index) => toEdits(parseEdit(edit, index)));
}

const description = `Edits the cells of a Jupyter notebook; the rest of the file stays. \
insert: at an index, after an id, or at the end. split: line begins the second cell. clear: outputs. show: cells with outputs. \
find: lines with content, a text or "/regex/i". outline: headings and first lines. check: was it run as it stands?

{"action": "edit", "path": "a.ipynb", "cells": "2", "content": "df.plot()"}
{"action": "batch", "path": "a.ipynb", "edits": [{"action": "delete", "cells": "5-7"}, {"action": "insert", "cell_type": "markdown", "content": "# End"}]}`;

const aboutRuns = `run: in the session of python, up to the first cell that fails; saves the outputs. verify: runs it and compares.

{"action": "run", "path": "a.ipynb", "cells": "0-3,7", "params": {"year": 2024}}`;

/** Throws when there is no file that could be a notebook, and says how to get one. */
async function requireNotebook(place: NamedFile): Promise<void> {
  try {
    await requireOpenable(place);
  } catch (error) {
    const isMissing = isGranaryError(error, "no-such-file");
    throw isMissing ? new GranaryError(error.code, `${error.message} action: "new" makes an empty notebook.`) : error;
  }
}
