import { z } from "zod";
import type { NotebookParameters } from "../../execute/notebook/parameters/parameters.ts";
import type { RunNotebookOptions } from "../../execute/run-notebook.ts";
import { queueInput, sessionInput } from "../context/session-input.ts";
import { timeoutInput } from "../context/time-limit.ts";

const address = z.union([z.number().int().min(0), z.string()]);

/** The fields of `run`, `verify` and `show`. */
export const runFields = {
  cells: z.array(address).optional().describe("only these, by index or id"),
  from: address.optional(),
  fresh: z.boolean().optional().describe("fresh kernel first"),
  timeout: timeoutInput.optional(),
  allow_errors: z.boolean().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  out: z.string().optional().describe("save there instead"),
  resume: z.boolean().optional().describe("from where the last run stopped"),
  cwd: z.string().optional(),
  queue: queueInput.optional(),
  session: sessionInput.optional(),
};

export type RunInput = z.output<z.ZodObject<typeof runFields>>;

/** Without `saveTo`, whose path has to be checked first. */
export function notebookRunOptions(input: RunInput): Omit<RunNotebookOptions, "saveTo"> {
  const { cells, from, fresh, resume, allow_errors: allowErrors, params } = input;
  return {
    cells,
    from,
    fresh,
    resume,
    allowErrors,
    parameters: params as NotebookParameters | undefined,
  };
}
