import { readFileSync } from "node:fs";
import { KernelError } from "../../../kernel/errors.ts";
import type { ExitReport, Kernel, KernelBackend } from "../../../kernel/kernel.ts";
import { pythonLiteral } from "../../../python/python-literal.ts";
import type { SharedRunOptions } from "../../../session/execution/run-options.ts";
import type { Failure } from "../../../session/failure.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { packageFile } from "../../../support/files/package-file.ts";
import { sayTimeLimit } from "../../../support/say-count.ts";
import type { Report } from "../report/report.ts";

export type RunFinish =
  | { readonly status: "ok" }
  /** With the names of the threads that were still running. */
  | { readonly status: "timeout" | "cancelled"; readonly unfinishedThreads: readonly string[] }
  | {
      readonly status: "failed";
      readonly error: { readonly code: string; readonly message: string };
      /** Undefined where Granary does not know how Python ended. */
      readonly exit: ExitReport | undefined;
    };

/**
 * Ends as Python does: waits for threads and child processes that are still running, and calls exit handlers.
 * @param kernel the one that ran the cells
 */
export async function finishRun(
  session: SharedSession,
  kernel: Kernel | null,
  options: Pick<SharedRunOptions, "timeoutMs" | "signal" | "answer">,
  report: Report,
): Promise<RunFinish> {
  if (kernel === null || kernel.info.language !== "python" || (await wasClosed(kernel))) return { status: "ok" };
  const { status, failure } = await session.run(finishCell(kernel), {
    ...options,
    onlyIn: kernel,
    onEvent: (event, text, shown) => {
      if (event.type === "stream") report.background(event.text, event.name);
      else if (event.type === "display") return report.take(event, text, shown);
    },
  }).result;
  if (failure !== null) return failed(kernel, failure);
  if (status !== "timeout" && status !== "cancelled") return { status: "ok" };
  return { status, unfinishedThreads: await unfinishedThreads(session) };
}

/** With `python.kernelMode: per-call`, the kernel has ended with its last cell. */
async function wasClosed(kernel: Kernel): Promise<boolean> {
  return kernel.state === "dead" && (await kernel.exited).expected;
}

async function failed(kernel: Kernel, { cause, code, message }: Failure): Promise<RunFinish> {
  const inCell = cause instanceof KernelError ? cause.details.exit : undefined;
  const exit = inCell ?? (kernel.state === "dead" ? await kernel.exited : undefined);
  // As in Python, a thread or an exit handler may end the program.
  if (exit?.byItself && exit.exitCode === 0) return { status: "ok" };
  const sentence = `At the end of the run, while waiting for threads and child processes: ${exit?.summary ?? message}`;
  return { status: "failed", error: { code: exit === undefined ? code : "kernel-died", message: sentence }, exit };
}

/** Sentences for people about a wait that was cut short. */
export function explainFinish(finish: RunFinish, timeoutMs: number): readonly string[] {
  if (finish.status === "ok") return [];
  if (finish.status === "failed") return [finish.error.message];
  const { status, unfinishedThreads } = finish;
  const threads = unfinishedThreads.length === 0 ? "" : ` Still running: ${unfinishedThreads.join(", ")}.`;
  const reason = status === "timeout" ? `Timed out after ${sayTimeLimit(timeoutMs)}` : "Interrupted";
  return [`${reason} while waiting for the threads and child processes that the code left running.${threads}`];
}

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
