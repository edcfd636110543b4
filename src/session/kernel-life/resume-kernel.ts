import type { Kernel } from "../../kernel/kernel.ts";
import { pythonLiteral } from "../../python/python-literal.ts";
import { type BootstrapOptions, runInternally } from "../bootstrap/bootstrap.ts";
import type { PythonTool } from "../python-tools.ts";

interface ResumeOptions extends Pick<BootstrapOptions, "bridge" | "signal"> {
  /** Set in `os.environ`. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/**
 * Gets to know a kernel that an earlier process of ours has made ready and kept: the address it was given for calls was
 * that process's.
 * @returns the functions that were marked with `@tool` in it
 */
export async function resumeKernel(
  kernel: Kernel,
  { env = {}, bridge, signal }: ResumeOptions,
): Promise<readonly PythonTool[]> {
  const isAsked = Object.keys(env).length > 0;
  if (isAsked) await runInternally(kernel, changing(env), signal, "being resumed");
  if (bridge !== undefined) await runInternally(kernel, ifPrepared(connecting(bridge)), signal, "being resumed");
  return offeredTools(kernel, signal);
}

/** Told by an exception, because nothing else of an internal cell reaches us. */
export async function offeredTools(kernel: Kernel, signal: AbortSignal): Promise<readonly PythonTool[]> {
  const report = `${module("python_tools", "report")}.report()`;
  const told = await runInternally(kernel, ifPrepared(report), signal, "listing its tools");
  return told?.name === "ToolsOffered" ? JSON.parse(told.message) : [];
}

function changing(env: Readonly<Record<string, string>>): string {
  return `__import__("os").environ.update(${pythonLiteral(env)})`;
}

function connecting(bridge: NonNullable<BootstrapOptions["bridge"]>): string {
  const connects = "url" in bridge;
  const given = connects ? [bridge.url, bridge.session, bridge.token] : [bridge.whyNot];
  return `${module("bridge", "connect")}.${connects ? "connect" : "refuse"}(${given.map(pythonLiteral).join(", ")})`;
}

function module(name: string, member: string): string {
  return `__import__("granary_prelude.${name}", fromlist=["${member}"])`;
}

function ifPrepared(expression: string): string {
  return `"granary_prelude" in __import__("sys").modules and ${expression}`;
}
