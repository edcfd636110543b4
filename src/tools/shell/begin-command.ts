import { type Captured, nothingCaptured } from "../../output/capture.ts";
import { bashContext, whyFailed } from "../../runtime/shell/bash-context.ts";
import type { Execution, ExecutionResult } from "../../session/execution/execution.ts";
import { workResult } from "../../session/execution/work-result.ts";
import { failureOf } from "../../session/failure.ts";
import { type BashRun, type LeftRunning, readBefore, runBash } from "../../shell/run-bash.ts";
import { processTree } from "../../support/process/process-tree.ts";
import { sayCount } from "../../support/say-count.ts";
import { textBytes } from "../code/result-budget.ts";
import { hardLimitMs } from "../context/hard-limit.ts";
import type { ToolContext } from "../context/tool-context.ts";
import { sayEnded } from "./say-ended.ts";

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
  /** Why the command itself has not begun: a sentence. Null when it has. */
  whyNotBegun(): string | null;
}

/** Starts a command as an execution, so that it can be followed after its call has returned. */
export async function beginCommand(
  context: ToolContext,
  background: BackgroundWork,
  { command, cwd, signal }: BashCommand & { readonly signal?: AbortSignal | undefined },
): Promise<CommandUnderWay> {
  const { runtime, session } = context;
  const bash = await bashContext(await runtime.startContext(session, cwd), signal ?? new AbortController().signal);
  const capture = runtime.createCapture(session, textBytes(context));
  const [first = ""] = command.trim().split("\n");
  const execution = context.beginWork(session, { code: command, title: `$ ${first}` }, signal);
  execution.captureWith(capture);
  execution.tell({ type: "running", generation: 0 });
  let process: StartedBash | null = null;
  const run = async (): Promise<EndedCommand> => {
    const onStart = (started: StartedBash) => {
      process = started;
      execution.lookWith(async () => ({ ...noPython, processes: await processTree(started.pid) }));
    };
    const limits = { timeoutMs: longestMs(context), signal: execution.signal };
    const ended = await runBash(command, { ...bash, ...limits, capture, onStart });
    if (ended.leftRunning !== null) await background.add(ended.leftRunning);
    const captured = await capture.finish();
    const reasons = await whyFailed(bash, ended, captured.output);
    return { run: ended, captured, notices: [...reasons, ...noticesOf(ended)] };
  };
  const over = run();
  over.then(
    (ended) => execution.settle(resultOf(ended)),
    (error) => execution.settle(workResult(nothingCaptured, { status: "failed", failure: failureOf(error) })),
  );
  const whyNotBegun = () =>
    process?.hasBegun === false ? `bash is still reading ${readBefore(bash)}: the command has not begun.` : null;
  return { execution, over, whyNotBegun };
}

type StartedBash = Parameters<NonNullable<Parameters<typeof runBash>[1]["onStart"]>>[0];

const noPython = { stack: null, whyNoStack: null };

/** A command that outlives its call has the limit of a cell in the background. */
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

function noticesOf({ leftRunning, endedWithIt }: BashRun): readonly string[] {
  if (endedWithIt > 0) return [sayEnded(endedWithIt)];
  if (leftRunning === null) return [];
  const pids = leftRunning.pids();
  // They have ended since the command has.
  if (pids.length === 0) return [];
  const who = `${sayCount(pids.length, "process", "processes")} (${pids.join(", ")})`;
  return [
    `Left running in the background: ${who}, until this session ends. Its further output to the command's stdout and stderr is lost.`,
  ];
}

/** Background processes of commands, so that they do not outlive the toolbox. */
export class BackgroundWork {
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
