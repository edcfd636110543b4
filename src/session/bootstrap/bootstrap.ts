import { readdirSync, readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { KernelError } from "../../kernel/errors.ts";
import type { Bootstrap, ExecuteOptions, Kernel } from "../../kernel/kernel.ts";
import { pythonLiteral } from "../../python/python-literal.ts";
import { packageFile } from "../../support/files/package-file.ts";
import { offeredTools } from "../kernel-life/resume-kernel.ts";
import type { PythonTool } from "../python-tools.ts";
import type { ModuleFile } from "./extension-modules.ts";
import { type ModuleProblem, moduleFailure } from "./module-failure.ts";

export interface BootstrapOptions {
  readonly cwd: string;
  /** Changes to `os.environ`; null deletes. */
  readonly env?: ExecuteOptions["env"];
  /** Whether the prelude's helpers are available without an import; true by default. */
  readonly prelude?: boolean | undefined;
  readonly modules: readonly ModuleFile[];
  /** The address of the host's tools, or why there is none; missing where the kernel's own wire carries the calls. */
  readonly bridge?: BridgeAddress | { readonly whyNot: string } | undefined;
  /** Aborted at the end of the time for a start. */
  readonly signal: AbortSignal;
}

export interface BridgeAddress {
  readonly url: string;
  readonly token: string;
  readonly session: string;
}

/**
 * Makes a fresh Python kernel ready for its first cell: folder, environment, `sys.path`, prelude, extension modules. All of
 * it goes there as code, so it is the same on every backend and machine. After a failure the kernel is unusable:
 * close it.
 * @returns the functions that modules have marked with `@tool`
 */
export async function bootstrapKernel(kernel: Kernel, options: BootstrapOptions): Promise<readonly PythonTool[]> {
  const { cwd, modules, signal } = options;
  const problem = await runInternally(kernel, bootCell(kernel, options), signal, "getting ready");
  if (problem) {
    // Without the traceback, which shows the cell, and so the token.
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

/** Code, or data for a kernel that has the code. */
type Cell = string | Bootstrap;

/** One expression, so that it leaves no name behind. */
function bootCell({ hasPrelude }: Kernel, { cwd, env = {}, prelude = true, bridge }: BootstrapOptions): Cell {
  const isReachable = bridge !== undefined && "url" in bridge;
  const changes = isReachable ? { ...env, ...bridgeVariables(bridge) } : env;
  const host = isReachable ? [bridge.url, bridge.session, bridge.token] : (bridge?.whyNot ?? null);
  if (hasPrelude) return { cwd, env: changes, helpers: prelude, host };
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
    opening = `(lambda names: (exec(${compiled}, names), names["start"]((${texts}), `;
  }
  return opening;
}

/** Without the token: every child process inherits the environment. */
function bridgeVariables({ url, session }: BridgeAddress): ExecuteOptions["env"] {
  return { PI_TOOL_BRIDGE_URL: url, PI_TOOL_BRIDGE_SESSION: session, PI_TOOL_BRIDGE_TOKEN: null };
}

function moduleCell({ source, path }: ModuleFile): string {
  const run = '__import__("granary_prelude.extension", fromlist=["run"]).run';
  return `${run}(${pythonLiteral(source)}, ${pythonLiteral(path)})`;
}

/** Runs code of ours without visible output; returns what it raised. `doing` is for the sentence when it fails. */
export async function runInternally(
  kernel: Kernel,
  cell: Cell,
  signal: AbortSignal,
  doing: string,
): Promise<ModuleProblem | undefined> {
  let problem: ModuleProblem | undefined;
  try {
    if (!signal.aborted) {
      const isCode = typeof cell === "string";
      const options = { internal: true, signal, ...(!isCode && { bootstrap: cell }) };
      for await (const event of kernel.execute(isCode ? cell : "", options)) {
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

interface PreludeTexts {
  /** The code that a kernel runs first; it makes modules of the rest. */
  readonly boot: string;
  /** The names of the helpers, with their documentation. */
  readonly package: string;
  /** All other modules, by name, as deflated JSON in base64: reading their text would take most of the time of a start. */
  readonly packedModules: string;
}

const python = packageFile("python/");

/** Files of the runner that the prelude brings along to kernels that are not the runner; `granary_runner/prelude.py` has the same. */
const shared = [
  "granary_runner/working_folder.py",
  "granary_runner/magics/running/process_tree.py",
  "granary_runner/terminal.py",
];

let sources: PreludeTexts | undefined;

/** The Python side of the bootstrap, for kernels that cannot read our files. Read once per process. */
export function preludeSources(): PreludeTexts {
  sources ??= readSources();
  return sources;
}

function readSources(): PreludeTexts {
  const own = readdirSync(`${python}granary_prelude`).filter((name) => name.endsWith(".py"));
  const files = [...own.map((name) => `granary_prelude/${name}`), ...shared];
  const texts = files.map((file) => [moduleName(file), readFileSync(python + file, "utf8")] as const);
  const { granary_prelude = "", "granary_prelude.boot": boot = "", ...modules } = Object.fromEntries(texts);
  return { boot, package: granary_prelude, packedModules: deflateSync(JSON.stringify(modules)).toString("base64") };
}

/** `granary_prelude/__init__.py` is the package; every other file is one of its modules, in any folder. */
function moduleName(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1, -".py".length);
  return name === "__init__" ? "granary_prelude" : `granary_prelude.${name}`;
}
