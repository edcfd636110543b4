import { resolve } from "node:path";
import type { Kernel } from "../kernel/kernel.ts";
import { granaryHome } from "../settings/granary-home.ts";
import { loadSettings } from "../settings/load-settings.ts";
import type { SettingsOverrides } from "../settings/settings.ts";
import { checkText } from "../support/check-argument.ts";
import { deadlineAfter } from "../support/deadline.ts";
import type { Environment } from "../support/environment.ts";
import { KernelSource } from "./kernel/kernel-source.ts";
import type { HostVariables } from "./kernel/start-environment.ts";
import { checkOptions } from "./options/check-options.ts";
import { ToolBridge } from "./tool-bridge.ts";

export interface StartKernelOptions {
  /** The working folder of Python, where the search for Python starts; the process's own by default. */
  readonly cwd?: string | undefined;
  /** The environment for the search for Python; code in the kernel sees a part of it. The process's own by default. */
  readonly env?: Environment | undefined;
  /** More variables for code in the kernel, unfiltered. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  /** The Python to use, without a search. */
  readonly interpreter?: string | undefined;
  /** A running kernel, by Jupyter's connection file; closing only detaches from it. */
  readonly attach?: string | undefined;
  /** Settings that win over files and variables, such as `{ python: { sandbox: "strict" } }`. */
  readonly settings?: SettingsOverrides | undefined;
  /** Whether the folder's own settings and modules may name programs and run code; by default as told `granary trust`. */
  readonly trust?: boolean | undefined;
  readonly host?: HostVariables | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts the Python that belongs to a folder. Close the kernel, or declare it with `await using`.
 *
 * @example
 * const kernel = await startKernel({ cwd: "project" });
 * for await (const event of kernel.execute("print(1)")) console.log(event);
 * await kernel.close();
 */
export async function startKernel(options: StartKernelOptions = {}): Promise<Kernel> {
  checkText(options.cwd, "cwd");
  await checkOptions("startKernel", options);
  const { env = process.env, signal } = options;
  const cwd = resolve(options.cwd ?? ".");
  const home = granaryHome(env);
  const settings = await loadSettings({ cwd, env, home, overrides: overridesOf(options), trust: options.trust });
  const isConfined = settings.values.python.sandbox !== "off";
  const findFolder = isConfined ? (await import("./sandbox/own-folder.ts")).ownFolders(home) : undefined;
  const context = { cwd, env, home, settings, findFolder };
  const source = new KernelSource({ options, context, bridge: new ToolBridge() });
  using deadline = deadlineAfter(settings.values.python.startSeconds * 1000, signal);
  try {
    const kernel = await source.starter(source.key("main", cwd, undefined))(deadline.signal);
    void kernel.exited.then(() => source.close());
    return kernel;
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Undefined when there are none, so that the module that reads them is not loaded. */
function overridesOf({ interpreter, settings }: StartKernelOptions): SettingsOverrides | undefined {
  return interpreter === undefined ? settings : { ...settings, python: { ...settings?.python, interpreter } };
}
