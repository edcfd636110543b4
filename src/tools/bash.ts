import { z } from "zod";
import type { Execution } from "../session/execution/execution.ts";
import { fullOutputOf } from "./code/keep.ts";
import { CallDeadline } from "./context/call-deadline.ts";
import { timeLimit, timeoutInput } from "./context/time-limit.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { workingFolder } from "./context/working-folder.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { BashDetails } from "./definition/details.ts";
import type { Tool, ToolCall, ToolContent, ToolResult } from "./definition/tool.ts";
import { Updates } from "./definition/updates.ts";
import { stillRunningContent } from "./executions/still-running-content.ts";
import { bashText } from "./shell/bash-text.ts";
import { BackgroundWork, type BashCommand, beginCommand } from "./shell/begin-command.ts";
import { runningCommand } from "./shell/running-command.ts";

/** Commands in the user's shell. */
export function createBashTool(context: ToolContext): Tool<BashDetails> {
  const background = new BackgroundWork();
  context.atEnd(() => background.end());
  return defineTool({
    name: "bash",
    title: "Run a command",
    description: describe(context.runtime.settings.python.sandbox !== "off"),
    input: z.strictObject({
      command: z.string().refine((text) => !text.includes("\0"), "a command cannot have a NUL character in it"),
      timeout: timeoutInput.optional(),
      cwd: z.string().optional(),
    }),
    output: z.object({
      status: z.string(),
      exitCode: z.number().nullable(),
      signal: z.string().nullable(),
      artifact: z.string().optional(),
      id: z.string().optional().meta({ hidden: true }),
    }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    async run(input, call) {
      const cwd = await workingFolder(context, input.cwd);
      const limit = timeLimit(input.timeout, context.runtime.settings.python.timeoutSeconds);
      const plan = { command: input.command, cwd, waitMs: limit.ms, notices: limit.notices };
      return watchedRun(context, background, plan, call);
    },
  });
}

const describe = (
  isLimited: boolean,
): string => `Runs a command in bash, with the aliases, functions and PATH of the user's shell and the project's Python first. \
Nothing is kept between calls but files: use cd in the command, or cwd.

{"command": "git status --short && pytest -q", "timeout": 120}

After timeout (30 by default) it continues without the call: see executions. It reads nothing from stdin. ${
  isLimited
    ? "In the sandbox, background processes may end with their command: use a server in the command that starts it."
    : "For a server, put & after it and send its output to a file."
}`;

/** While it runs, reports only the end of the output. */
const tailBytes = 8192;

interface Plan extends BashCommand {
  /** How long the call waits. */
  readonly waitMs: number;
  readonly notices: readonly string[];
}

async function watchedRun(context: ToolContext, background: BackgroundWork, plan: Plan, call: ToolCall<BashDetails>) {
  const { command, cwd } = plan;
  const { execution, over, whyNotBegun } = await beginCommand(context, background, {
    command,
    cwd,
    signal: call.signal,
  });
  const begun = { ...runningCommand, command, cwd, startedAt: execution.startedAt ?? Date.now() };
  using updates = new Updates<BashDetails>(call, () => {
    const output = execution.tail(tailBytes);
    return { text: output, details: { ...begun, output }, bars: execution.bars() };
  });
  if (updates.areWanted) void followed(execution, updates);
  updates.changed();
  using deadline = new CallDeadline(plan.waitMs);
  const ended = await context.ongoing.during([execution], () => deadline.waitFor(over));
  if (ended === null) {
    context.ongoing.leave([execution]);
    const output = execution.tail(tailBytes);
    const why = whyNotBegun();
    const where = why === null ? "." : `. ${why}`;
    return stillRunning(context, execution, where, { ...begun, output, notices: plan.notices });
  }
  const { run, captured } = ended;
  const { output, totalLines, totalBytes, truncation } = captured;
  const full = await fullOutputOf(context, truncation);
  const { status, exitCode, signal, durationMs } = run;
  const notices = [...plan.notices, ...ended.notices];
  return resultOf({
    ...{ ...begun, status, exitCode, signal, durationMs, output, totalLines, totalBytes, truncation, notices },
    ...full,
  });
}

async function stillRunning(
  context: ToolContext,
  execution: Execution,
  where: string,
  details: BashDetails,
): Promise<ToolResult<BashDetails>> {
  const { id } = execution;
  const { notices } = details;
  return {
    content: await stillRunningContent(context, execution, { where, notices }),
    isError: false,
    details: { ...details, notices: [...notices, `Continues as ${id}.`] },
    structured: { status: "running", exitCode: null, signal: null, id },
  };
}

async function followed(execution: Execution, updates: Updates<BashDetails>): Promise<void> {
  for await (const _ of execution.events()) updates.changed();
}

function resultOf(details: BashDetails): ToolResult<BashDetails> {
  const { status, exitCode, signal, truncation } = details;
  const address = truncation?.artifact ?? null;
  const links: ToolContent[] =
    address === null ? [] : [{ type: "link", uri: address, name: "complete output", mimeType: "text/plain" }];
  return {
    content: [{ type: "text" as const, text: bashText(details) }, ...links],
    isError: status !== "complete",
    details,
    structured: { status, exitCode, signal, ...(address !== null && { artifact: address }) },
  };
}
