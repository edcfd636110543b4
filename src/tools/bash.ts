import { z } from "zod";
import { bashContext, missingAliases } from "../runtime/shell/bash-context.ts";
import { type BashRun, type LeftRunning, runBash } from "../shell/run-bash.ts";
import { sayCount } from "../support/say-count.ts";
import { fullOutputOf } from "./code/keep.ts";
import { textBytes } from "./code/result-budget.ts";
import { timeLimit, timeoutInput } from "./context/time-limit.ts";
import type { ToolContext } from "./context/tool-context.ts";
import { workingFolder } from "./context/working-folder.ts";
import { defineTool } from "./definition/define-tool.ts";
import type { BashDetails } from "./definition/details.ts";
import type { Tool, ToolCall, ToolContent } from "./definition/tool.ts";
import { Updates } from "./definition/updates.ts";
import { bashText } from "./shell/bash-text.ts";

/** Commands in the user's shell. */
export function createBashTool(context: ToolContext): Tool<BashDetails> {
  const background = new BackgroundWork();
  context.atEnd(() => background.end());
  return defineTool({
    name: "bash",
    title: "Run a command",
    description,
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
    }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    async run(input, call) {
      const cwd = await workingFolder(context, input.cwd);
      const limit = timeLimit(input.timeout, context.runtime.settings.python.timeoutSeconds);
      const { run, aliases, ...details } = await watchedRun(
        context,
        { command: input.command, cwd, timeoutMs: limit.ms },
        call,
      );
      if (run.leftRunning !== null) await background.add(run.leftRunning);
      return resultOf({ ...details, notices: [...limit.notices, ...aliases, ...noticesOf(run.leftRunning)] });
    },
  });
}

const description = `Runs a command in bash, with the aliases, functions and PATH of the user's shell and the project's Python first. \
Nothing is kept between calls but files: use cd in the command, or cwd.

{"command": "git status --short && pytest -q", "timeout": 120}

timeout is 30 by default. The command reads nothing from stdin. For a server, put & after it and send its output to a file.`;

/** While it runs, reports only the end of the output. */
const tailBytes = 8192;

interface Plan {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
}

async function watchedRun(
  context: ToolContext,
  { command, cwd, timeoutMs }: Plan,
  call: ToolCall<BashDetails>,
): Promise<BashDetails & { readonly run: BashRun; readonly aliases: readonly string[] }> {
  const { runtime, session } = context;
  const signal = call.signal ?? new AbortController().signal;
  const bash = await bashContext(await runtime.startContext(session, cwd), signal);
  const capture = runtime.createCapture(session, textBytes(context));
  const begun = { ...untold, command, cwd, startedAt: Date.now() };
  using updates = new Updates(call, () => {
    const output = capture.tail(tailBytes);
    return { text: output, details: { ...begun, output } };
  });
  if (updates.areWanted) capture.listen(() => updates.changed());
  updates.changed();
  const run = await runBash(command, { ...bash, capture, timeoutMs, signal });
  const { output, totalLines, totalBytes, truncation } = await capture.finish();
  const full = await fullOutputOf(context, truncation);
  const { status, exitCode, durationMs } = run;
  const ended = { status, exitCode, signal: run.signal, durationMs };
  const aliases = missingAliases(bash, exitCode);
  return { ...begun, ...ended, output, totalLines, totalBytes, truncation, ...full, run, aliases };
}

const untold = {
  status: "running",
  exitCode: null,
  signal: null,
  durationMs: null,
  output: "",
  totalLines: null,
  totalBytes: null,
  truncation: null,
  fullOutputPath: null,
  fullOutput: null,
  notices: [],
} as const;

function noticesOf(left: LeftRunning | null): readonly string[] {
  if (left === null) return [];
  const pids = left.pids();
  const who = `${sayCount(pids.length, "process", "processes")} (${pids.join(", ")})`;
  return [
    `Left running in the background: ${who}, until this session ends. Its further output to the command's stdout and stderr is lost.`,
  ];
}

function resultOf(details: BashDetails) {
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

/** What commands have left in the background, so that it does not outlive the toolbox. */
class BackgroundWork {
  #left: LeftRunning[] = [];

  async add(work: LeftRunning): Promise<void> {
    await this.#forgetEnded();
    this.#left.push(work);
  }

  async end(): Promise<void> {
    const left = this.#left;
    this.#left = [];
    await Promise.all(left.map((work) => work.end()));
  }

  /** Each holds a pipe and a process that watches over it. */
  async #forgetEnded(): Promise<void> {
    const ended = this.#left.filter((work) => work.pids().length === 0);
    this.#left = this.#left.filter((work) => !ended.includes(work));
    await Promise.all(ended.map((work) => work.end()));
  }
}
