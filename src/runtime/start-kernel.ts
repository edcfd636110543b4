import type { Kernel } from "../kernel/kernel.ts";
import type { SettingsOverrides } from "../settings/settings.ts";
import type { Environment } from "../support/environment.ts";
import { loadBackend } from "./backend/load-backend.ts";
import type { HostVariables } from "./kernel/host-variables.ts";
import { openKernel } from "./kernel/open-kernel.ts";

export interface StartKernelOptions {
  /** The folder that Python runs in, and is looked for in; the process's own by default. */
  readonly cwd?: string | undefined;
  /** The environment Python is looked for in; code in the kernel sees a part of it. The process's own by default. */
  readonly env?: Environment | undefined;
  /** More variables for code in the kernel, as they are. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  /** Exactly this Python, without a search. */
  readonly interpreter?: string | undefined;
  /** A kernel that runs already, by Jupyter's connection file; closing only lets go of it. */
  readonly attach?: string | undefined;
  /** Settings that win over files and variables. */
  readonly settings?: SettingsOverrides | undefined;
  readonly host?: HostVariables | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Starts the Python that belongs to a folder: `await using kernel = await startKernel({ cwd })`. */
export function startKernel(options: StartKernelOptions = {}): Promise<Kernel> {
  const { cwd = process.cwd(), env = process.env, settings, ...rest } = options;
  return openKernel({ ...rest, cwd, env, overrides: settings, loadBackend, stderr });
}

/** Node creates the stream when it is first touched, and most starts have nothing to say. */
const stderr = { write: (text: string) => process.stderr.write(text) };
