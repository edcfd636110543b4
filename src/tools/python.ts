import { z } from "zod";
import { GranaryError } from "../support/granary-error.ts";
import { OpenBranches } from "./branches/open-branches.ts";
import { keepBranch, runBranches } from "./branches/run-branches.ts";
import { codeOutput } from "./code/code-result.ts";
import { type CodePlan, runCode } from "./code/run-code.ts";
import { queueInput, sessionInput } from "./context/session-input.ts";
import { timeLimit, timeoutInput } from "./context/time-limit.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { workingFolder } from "./context/working-folder.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { CodeDetails } from "./definition/details.ts";
import type { Tool } from "./definition/tool.ts";

const cell = z.strictObject({ code: z.string(), title: z.string().optional() });
/** Models also send text, as in `branches`. */
const cellOrText = z.preprocess((given) => (typeof given === "string" ? { code: given } : given), cell);
/** The list names only text, which is shorter; models also send cells as in `cells`. */
const branchCell = z.union([z.string(), cell], { error: "expected text" }).meta({ type: "string" });

/** Python with variables that persist between calls. */
export function createPythonTool(context: ToolContext): Tool<CodeDetails> {
  const { runtime } = context;
  const isJupyter = runtime.backend !== "runner";
  return defineTool({
    name: "python",
    title: "Run Python",
    description,
    input: z.strictObject({
      cells: z.array(cellOrText).min(1, "needs at least one cell").optional(),
      branches: z
        .array(z.strictObject({ title: z.string(), cells: z.array(branchCell) }))
        .min(1, "needs at least one branch")
        .optional()
        .describe("run on copies of the variables"),
      keep: z.string().optional(),
      timeout: timeoutInput.optional(),
      cwd: z.string().optional(),
      reset: z.boolean().optional().describe("fresh kernel first"),
      background: z.boolean().optional().describe("return at once"),
      queue: queueInput.optional(),
      session: sessionInput.optional().describe("another namespace"),
      ...(isJupyter && { kernel: z.string().optional().describe("Jupyter kernelspec") }),
    }),
    output: codeOutput,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    async run(input, call) {
      const { cells = [], branches, keep, reset = false, background = false, queue = false, session: name } = input;
      const kernel = (input as { readonly kernel?: string }).kernel;
      const cwd = await workingFolder(context, input.cwd);
      const limit = timeLimit(input.timeout, runtime.settings.python.timeoutSeconds);
      const session = context.sessionFor(name, cwd, kernel);
      const plan: CodePlan = {
        context,
        session,
        cwd,
        cells: cells.map((cell) => ({ ...cell, language: kernel ?? runtime.settings.python.kernel ?? "python" })),
        waitMs: limit.ms,
        queue,
        reset,
        background,
        notices: [...(background ? unwaited(input.timeout) : limit.notices), ...context.firstUseNotices(name, kernel)],
      };
      requireOneKind(input);
      if (branches !== undefined) return runBranches(plan, branches, keep, call);
      if (keep !== undefined) return keepBranch(plan, keep);
      await OpenBranches.of(context).endIdle(session);
      return runCode(plan, call);
    },
  });
}

function requireOneKind(input: {
  readonly cells?: unknown;
  readonly branches?: unknown;
  readonly keep?: unknown;
}): void {
  const { cells, branches, keep } = input;
  if (cells !== undefined && (branches ?? keep) !== undefined) throw new GranaryError("input", oneKind);
  if (cells === undefined && branches === undefined && keep === undefined) throw new GranaryError("input", oneKind);
}

const oneKind = 'Send cells, or branches, or only the branch to keep: {"cells": [{"code": "1 + 1"}]}';

function unwaited(timeout: number | undefined): readonly string[] {
  return timeout === undefined ? [] : ["timeout has no effect with background: the call does not wait."];
}

const description = `Runs Python cells in order, in a kernel that keeps variables between calls. The value of the last expression is shown, \
plots come back as pictures; top-level await, %pip and !commands work. Stops at the first cell that fails; what earlier cells did \
stays: send only the rest.

{"cells": [{"title": "load", "code": "import pandas as pd\\ndf = pd.read_csv('data.csv')"}, {"code": "df.describe()"}]}

After timeout (30 by default) the cells continue without the call: see executions.`;
