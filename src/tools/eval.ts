import { z } from "zod";
import { codeOutput } from "./code/code-result.ts";
import { createLanguages } from "./code/languages.ts";
import { runCode } from "./code/run-code.ts";
import { queueInput, sessionInput } from "./context/session-input.ts";
import { timeLimit, timeoutInput } from "./context/time-limit.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { workingFolder } from "./context/working-folder.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { CodeDetails } from "./definition/details.ts";
import type { Tool } from "./definition/tool.ts";

/** `python` in another form: every cell has a language and a `reset`. */
export function createEvalTool(context: ToolContext): Tool<CodeDetails> {
  const { runtime } = context;
  const kernelFor = createLanguages(runtime);
  return defineTool({
    name: "eval",
    title: "Run cells",
    description,
    input: z.strictObject({
      cells: z
        .array(
          z.strictObject({
            language: z.string(),
            code: z.string(),
            title: z.string().optional(),
            reset: z.boolean().optional().describe("fresh kernel before this cell"),
          }),
        )
        .min(1, "needs at least one cell"),
      timeout: timeoutInput.optional(),
      cwd: z.string().optional(),
      queue: queueInput.optional(),
      session: sessionInput.optional().describe("another namespace"),
    }),
    output: codeOutput,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    async run({ cells, timeout, cwd: asked, queue = false, session: name }, call) {
      const cwd = await workingFolder(context, asked);
      const limit = timeLimit(timeout, runtime.settings.python.timeoutSeconds);
      const planned = [];
      const notices = [...limit.notices, ...context.firstUseNotices(name)];
      for (const { language, ...cell } of cells) {
        const { kernel, name: languageName } = await kernelFor(language, call.signal);
        notices.push(...(kernel === undefined ? [] : context.firstUseNotices(name, kernel)));
        planned.push({ ...cell, language: languageName, session: context.sessionFor(name, cwd, kernel) });
      }
      const session = context.sessionFor(name, cwd);
      const whole = { waitMs: limit.ms, queue, reset: false, background: false, notices };
      return runCode({ context, session, cwd, cells: planned, ...whole }, call);
    },
  });
}

const description = `Runs cells one after the other, each in the kernel of its language, which keeps variables between calls. \
Stops at the first that fails; what earlier cells did stays.

{"cells": [{"language": "py", "code": "x = 6 * 7"}, {"language": "py", "title": "show", "code": "x"}]}

A cell with "reset": true gets a fresh kernel. After timeout (30 by default) the cells continue without the call: see executions.`;
