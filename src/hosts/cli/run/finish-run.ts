import type { Kernel } from "../../../kernel/kernel.ts";
import type { SharedRunOptions } from "../../../session/execution/run-options.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { sayTimeLimit } from "../../../support/say-count.ts";
import type { Report } from "../report/report.ts";
import { kernelModule } from "./kernel-module.ts";

export interface RunFinish {
  readonly status: "ok" | "timeout" | "cancelled";
  /** The names of the threads that were still running. */
  readonly unfinishedThreads: readonly string[];
}

/** As Python ends: waits for threads and child processes that the code has left running, and calls exit handlers. */
export async function finishRun(
  session: SharedSession,
  options: Pick<SharedRunOptions, "timeoutMs" | "signal" | "answer">,
  report: Report,
): Promise<RunFinish> {
  const { kernel } = session;
  if (kernel === null || kernel.info.language !== "python") return nothingLeft;
  const { status } = await session.run(finishCell(kernel), {
    ...options,
    onEvent: (event, text, shown) => {
      if (event.type === "stream") report.background(event.text, event.name);
      else if (event.type === "display") return report.take(event, text, shown);
    },
  }).result;
  if (status !== "timeout" && status !== "cancelled") return nothingLeft;
  return { status, unfinishedThreads: await unfinishedThreads(session) };
}

/** What a person should be told when the wait was cut short. */
export function explainFinish({ status, unfinishedThreads }: RunFinish, timeoutMs: number): readonly string[] {
  if (status === "ok") return [];
  const threads = unfinishedThreads.length === 0 ? "" : ` Still running: ${unfinishedThreads.join(", ")}.`;
  const reason = status === "timeout" ? `Timed out after ${sayTimeLimit(timeoutMs)}` : "Interrupted";
  return [`${reason} while waiting for the threads and child processes that the code left running.${threads}`];
}

const nothingLeft: RunFinish = { status: "ok", unfinishedThreads: [] };

/** Nearly every run has neither threads nor exit handlers, and should not load anything to find out. */
function finishCell({ info }: Kernel): string {
  const somethingLeft = '{"threading", "atexit"} & set(__import__("sys").modules)';
  return `${kernelModule("ending", info.backend)}.finish() if ${somethingLeft} else None`;
}

async function unfinishedThreads({ kernel }: SharedSession): Promise<readonly string[]> {
  if (kernel === null || kernel.state !== "idle") return [];
  const code = `${kernelModule("ending", kernel.info.backend)}.report_unfinished()`;
  let names = "";
  try {
    for await (const event of kernel.execute(code, { internal: true, signal: AbortSignal.timeout(askMs) })) {
      if (event.type === "error" && event.name === "LookupError") names = event.message;
    }
  } catch {
    // A kernel that dies now takes its threads with it.
  }
  return names === "" ? [] : names.split("\n");
}

const askMs = 2000;
