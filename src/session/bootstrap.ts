import { KernelError } from "../kernel/errors.ts";
import type { ExecuteOptions, Kernel } from "../kernel/kernel.ts";
import type { ModuleFile } from "./extension-modules.ts";
import { moduleFailure, type Problem } from "./module-failure.ts";
import { preludeSources } from "./prelude-sources.ts";
import { pythonLiteral } from "./python-literal.ts";

export interface BootstrapOptions {
  readonly cwd: string;
  /** Changes to `os.environ`; null deletes. */
  readonly env?: ExecuteOptions["env"];
  /** Whether the prelude's helpers are there without importing them; they are by default. */
  readonly prelude?: boolean | undefined;
  readonly modules: readonly ModuleFile[];
  /** Where Python reaches the host's tools. */
  readonly bridge?: { readonly url: string; readonly token: string; readonly session: string } | undefined;
  /** Aborted when the start may take no longer. */
  readonly signal: AbortSignal;
}

/**
 * Makes a fresh Python kernel ready for its first cell: folder, environment, `sys.path`, prelude, extension modules. All of
 * it goes there as code, so it is the same on every backend and wherever the kernel runs. When this fails, the kernel is of
 * no use: close it.
 */
export async function bootstrapKernel(kernel: Kernel, options: BootstrapOptions): Promise<void> {
  const { cwd, modules, signal } = options;
  const problem = await runInternally(kernel, bootCell(options), signal, "getting ready");
  if (problem) {
    // Not its traceback, which shows the cell, and so the token.
    const what = `Python could not be made ready in ${cwd}: ${problem.name}: ${problem.message}.`;
    const remedy = "Check that the folder exists where Python runs, and the environment it was given.";
    throw new KernelError("start-failed", `${what} ${remedy}`, { details: { cwd } });
  }
  for (const module of modules) {
    const failed = await runInternally(kernel, moduleCell(module), signal, `running ${module.path}`);
    if (failed) throw moduleFailure(module, failed);
  }
}

async function runInternally(
  kernel: Kernel,
  code: string,
  signal: AbortSignal,
  doing: string,
): Promise<Problem | undefined> {
  let problem: Problem | undefined;
  try {
    if (!signal.aborted) {
      for await (const event of kernel.execute(code, { internal: true, signal })) {
        if (event.type === "error") problem = event;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw diedWhile(doing, error);
  }
  if (signal.aborted) throw tookTooLong(doing, signal);
  return problem;
}

function diedWhile(doing: string, error: unknown): unknown {
  if (!(error instanceof KernelError) || error.code !== "kernel-died") return error;
  return new KernelError("start-failed", `Python ended while it was ${doing}. ${error.message}`, {
    details: error.details,
    cause: error,
  });
}

function tookTooLong(doing: string, signal: AbortSignal): KernelError {
  const sentence = `Python did not start in time: it was still ${doing}. Give it more time, or less to do.`;
  return new KernelError("start-timeout", sentence, { cause: signal.reason });
}

/** One expression, so that it leaves no name behind. */
function bootCell({ cwd, env = {}, prelude = true, bridge }: BootstrapOptions): string {
  const changes = bridge ? { ...env, ...bridgeVariables(bridge) } : env;
  const given = [cwd, changes, prelude, bridge?.token ?? null].map(pythonLiteral).join(", ");
  return `${openingOfBootCell()}${given})))({"__name__": "granary_prelude.boot"})`;
}

let opening: string | undefined;

/** The part that is the same for every kernel, and nearly all of it. */
function openingOfBootCell(): string {
  if (opening === undefined) {
    const { boot, package: helpers, packedModules } = preludeSources();
    const compiled = `compile(${pythonLiteral(boot)}, "<granary>/granary_prelude/boot.py", "exec", 0, True)`;
    const texts = `${pythonLiteral(helpers)}, ${pythonLiteral(packedModules)}`;
    opening = `(lambda names: (exec(${compiled}, names), names["start"](${texts}, `;
  }
  return opening;
}

/** The token is not among them: every child process inherits the environment. */
function bridgeVariables({ url, session }: { readonly url: string; readonly session: string }): ExecuteOptions["env"] {
  return { PI_TOOL_BRIDGE_URL: url, PI_TOOL_BRIDGE_SESSION: session, PI_TOOL_BRIDGE_TOKEN: null };
}

function moduleCell({ source, path }: ModuleFile): string {
  const run = '__import__("granary_prelude.extension", fromlist=["run"]).run';
  return `${run}(${pythonLiteral(source)}, ${pythonLiteral(path)})`;
}
