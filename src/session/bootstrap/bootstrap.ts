import { KernelError } from "../../kernel/errors.ts";
import type { ExecuteOptions, Kernel } from "../../kernel/kernel.ts";
import { pythonLiteral } from "../../python/python-literal.ts";
import type { PythonTool } from "../host-news.ts";
import { offeredTools } from "../kernel-life/resume-kernel.ts";
import { runInternally } from "../kernel-life/run-internally.ts";
import type { ModuleFile } from "./extension-modules.ts";
import { moduleFailure } from "./module-failure.ts";
import { preludeSources } from "./prelude-sources.ts";

export interface BootstrapOptions {
  readonly cwd: string;
  /** Changes to `os.environ`; null deletes. */
  readonly env?: ExecuteOptions["env"];
  /** Whether the prelude's helpers are there without importing them; they are by default. */
  readonly prelude?: boolean | undefined;
  readonly modules: readonly ModuleFile[];
  /** Where Python reaches the host's tools, or why it does not; nothing where the kernel's own wire carries the calls. */
  readonly bridge?: BridgeAddress | { readonly whyNot: string } | undefined;
  /** Aborted when the start may take no longer. */
  readonly signal: AbortSignal;
}

export interface BridgeAddress {
  readonly url: string;
  readonly token: string;
  readonly session: string;
}

/**
 * Makes a fresh Python kernel ready for its first cell: folder, environment, `sys.path`, prelude, extension modules. All of
 * it goes there as code, so it is the same on every backend and wherever the kernel runs. When this fails, the kernel is of
 * no use: close it.
 * @returns the functions that modules have marked with `@tool`
 */
export async function bootstrapKernel(kernel: Kernel, options: BootstrapOptions): Promise<readonly PythonTool[]> {
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
  return modules.length === 0 ? [] : offeredTools(kernel, signal);
}

/** One expression, so that it leaves no name behind. */
function bootCell({ cwd, env = {}, prelude = true, bridge }: BootstrapOptions): string {
  const isReachable = bridge !== undefined && "url" in bridge;
  const changes = isReachable ? { ...env, ...bridgeVariables(bridge) } : env;
  const host = isReachable ? [bridge.url, bridge.session, bridge.token] : (bridge?.whyNot ?? null);
  const given = [cwd, changes, prelude, host].map(pythonLiteral).join(", ");
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
function bridgeVariables({ url, session }: BridgeAddress): ExecuteOptions["env"] {
  return { PI_TOOL_BRIDGE_URL: url, PI_TOOL_BRIDGE_SESSION: session, PI_TOOL_BRIDGE_TOKEN: null };
}

function moduleCell({ source, path }: ModuleFile): string {
  const run = '__import__("granary_prelude.extension", fromlist=["run"]).run';
  return `${run}(${pythonLiteral(source)}, ${pythonLiteral(path)})`;
}
