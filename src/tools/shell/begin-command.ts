import { type Captured, nothingCaptured } from "../../output/capture.ts";
import { sayCount } from "../../output/text/say-size.ts";
import { bashContext } from "../../runtime/shell/bash-context.ts";
import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import { workResult } from "../../session/execution/work-result.ts";
import { failureOf } from "../../session/failure.ts";
import { type BashRun, type LeftRunning, runBash } from "../../shell/run-bash.ts";
import { processTree } from "../../support/process/process-tree.ts";
import { hardLimitMs } from "../context/hard-limit.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { BackgroundWork } from "./background-work.ts";

export interface BashCommand {
  readonly command: string;
  readonly cwd: string;
}

interface EndedCommand {
  readonly run: BashRun;
  readonly captured: Captured;
  readonly notices: readonly string[];
}

export interface CommandUnderWay {
  readonly execution: Execution;
  /** Rejects when bash could not be started. */
  readonly over: Promise<EndedCommand>;
}

/** Starts a command as an execution, so that it can be followed when its call has returned. */
export async function beginCommand(
  context: ToolContext,
  background: BackgroundWork,
  { command, cwd, signal }: BashCommand & { readonly signal?: AbortSignal | undefined },
): Promise<CommandUnderWay> {
  const { runtime, session } = context;
  const bash = await bashContext(await runtime.startContext(session, cwd), signal ?? new AbortController().signal);
  const capture = runtime.createCapture(session);
  const [first = ""] = command.trim().split("\n");
  const execution = context.beginWork(session, { code: command, title: `$ ${first}` }, signal);
  execution.captureWith(capture);
  execution.tell({ type: "running", generation: 0 });
  const run = async (): Promise<EndedCommand> => {
    const onStart = (pid: number) =>
      execution.lookWith(async () => ({ ...noPython, processes: await processTree(pid) }));
    const limits = { timeoutMs: longestMs(context), signal: execution.signal };
    const ended = await runBash(command, { ...bash, ...limits, capture, onStart });
    if (ended.leftRunning !== null) await background.add(ended.leftRunning);
    return { run: ended, captured: await capture.finish(), notices: noticesOf(ended.leftRunning) };
  };
  const over = run();
  over.then(
    (ended) => execution.settle(resultOf(ended)),
    (error) => execution.settle(workResult(nothingCaptured, { status: "failed", failure: failureOf(error) })),
  );
  return { execution, over };
}

const noPython = { stack: null, whyNoStack: null };

/** A command that nobody waits for any more ends as a cell in the background does. */
function longestMs(context: ToolContext): number {
  return Math.min(hardLimitMs(context), context.runtime.settings.python.backgroundHours * 3_600_000);
}

function resultOf({ run, captured, notices }: EndedCommand): ExecutionResult {
  const { durationMs, exitCode, signal } = run;
  const status = run.status === "complete" ? "ok" : run.status;
  const how = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
  const error = status === "error" ? { name: how, message: "", traceback: [] } : null;
  return workResult(captured, { status, durationMs, error, notices });
}

function noticesOf(left: LeftRunning | null): readonly string[] {
  if (left === null) return [];
  const pids = left.pids();
  const who = `${sayCount(pids.length, "process", "processes")} (${pids.join(", ")})`;
  return [
    `Left running in the background: ${who}, until this session ends. What is printed to the command's own output is lost from now on.`,
  ];
}
