import { readFileSync } from "node:fs";
import type { Kernel, KernelBackend } from "../../../kernel/kernel.ts";
import { pythonLiteral } from "../../../python/python-literal.ts";
import type { SharedRunOptions } from "../../../session/execution/run-options.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { packageFile } from "../../../support/files/package-file.ts";
import { sayTimeLimit } from "../../../support/say-count.ts";
import type { Report } from "../report/report.ts";

export interface RunFinish {
  readonly status: "ok" | "timeout" | "cancelled";
  /** The names of the threads that were still running. */
  readonly unfinishedThreads: readonly string[];
}

/** Ends as Python does: waits for threads and child processes that are still running, and calls exit handlers. */
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

/** Sentences for people about a wait that was cut short. */
export function explainFinish({ status, unfinishedThreads }: RunFinish, timeoutMs: number): readonly string[] {
  if (status === "ok") return [];
  const threads = unfinishedThreads.length === 0 ? "" : ` Still running: ${unfinishedThreads.join(", ")}.`;
  const reason = status === "timeout" ? `Timed out after ${sayTimeLimit(timeoutMs)}` : "Interrupted";
  return [`${reason} while waiting for the threads and child processes that the code left running.${threads}`];
}

const nothingLeft: RunFinish = { status: "ok", unfinishedThreads: [] };

/** Most runs have neither threads nor exit handlers, and should load nothing to find out. */
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

/** A Python expression for a module of the runner's package. Kernels other than the runner get its text. */
export function kernelModule(name: "program" | "ending", backend: KernelBackend["name"]): string {
  if (backend === "runner") return `__import__("granary_runner.${name}", fromlist=["__name__"])`;
  const text = readFileSync(packageFile(`python/granary_runner/${name}.py`), "utf8");
  const compiled = `compile(${pythonLiteral(text)}, "<granary>/${name}.py", "exec", 0, True)`;
  const made = `(lambda module: (exec(${compiled}, module.__dict__), module)[1])(type(sys)(name))`;
  return `(lambda sys, name: sys.modules.get(name) or sys.modules.setdefault(name, ${made}))(__import__("sys"), "granary_${name}")`;
}
