import { z } from "zod";
import { GranaryError, isGranaryError } from "../support/granary-error.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { NotebookDetails } from "./definition/details.ts";
import type { Tool } from "./definition/tool.ts";
import { findWholeTarget } from "./files/find-target.ts";
import type { NamedFile } from "./files/named-file.ts";
import { requireOpenable } from "./files/open-file.ts";
import { type EditInput, editActions, editFields, parseEdit, toEdit } from "./notebook/edit-input.ts";
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
  const { cells, ...onlyForRuns } = runFields;
  const running = ["run", "verify"] as const;
  const actions = [...editActions, "batch", "show", "check", "new", ...(runs ? running : [])] as Action[];
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
      cells,
      ...(runs && onlyForRuns),
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
          return runInSession(context, place, { ...(input as RunInput), action }, call);
        }
        case "show":
        case "check":
        case "new": {
          const { checkCells, makeNotebook, showCells } = await import("./notebook/show-cells.ts");
          if (action === "show") return showCells(context, place, input.cells);
          return action === "check" ? checkCells(place, name) : makeNotebook(place, name);
        }
        default: {
          const edits = action === "batch" ? editsOf(input.edits) : [toEdit({ ...input, action })];
          const { editCells } = await import("./notebook/edit-cells.ts");
          return editCells(place, edits, call.signal);
        }
      }
    },
  });
}

type Action = EditInput["action"] | "batch" | "show" | "check" | "new" | "run" | "verify";

function editsOf(edits: readonly unknown[] | undefined): readonly ReturnType<typeof toEdit>[] {
  if (edits === undefined)
    throw new GranaryError("input", '"batch" needs edits: [{"action": "delete", "cell_index": 3}, …].');
  return edits.map((edit, index) => toEdit(parseEdit(edit, index)));
}

const description = `Changes the cells of a Jupyter notebook; the rest of the file is unchanged. A cell is named by cell_index or cell_id. \
insert: at cell_index, after cell_id, or at the end. replace: old by new. split: line begins the second cell. clear: outputs of one cell or of all. \
show: cells with their outputs. check: was it run as it stands?

{"action": "edit", "path": "a.ipynb", "cell_index": 2, "content": "df.plot()"}
{"action": "batch", "path": "a.ipynb", "edits": [{"action": "delete", "cell_index": 5}, {"action": "insert", "cell_type": "markdown", "content": "# End"}]}`;

const aboutRuns = `run: executes it in the session of python, up to the first cell that fails, and saves the outputs. verify: runs it and compares.

{"action": "run", "path": "a.ipynb", "params": {"year": 2024}}`;

/** Throws when there is no file that could be a notebook, and says how to get one. */
async function requireNotebook(place: NamedFile): Promise<void> {
  try {
    await requireOpenable(place);
  } catch (error) {
    const isMissing = isGranaryError(error, "no-such-file");
    throw isMissing ? new GranaryError(error.code, `${error.message} action: "new" makes an empty notebook.`) : error;
  }
}
