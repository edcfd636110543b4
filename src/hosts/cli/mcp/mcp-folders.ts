import { stat } from "node:fs/promises";
import { type CommandContext, typedPath } from "../command/command-context.ts";
import { UsageError } from "../command/usage-error.ts";
import type { McpArguments } from "./mcp-arguments.ts";

/** Reports a missing folder at the start instead of in every call. */
export async function requireFolders({ cwd = ".", roots }: McpArguments, context: CommandContext): Promise<void> {
  for (const folder of [cwd, ...roots].map((typed) => typedPath(typed, context))) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`);
  }
}

/** The arguments as options of a workspace. */
export function workspaceOptions({ cwd = ".", roots, ...args }: McpArguments, context: CommandContext) {
  const { env, stderr, loadBackend } = context;
  const { readOnly, interpreter, backend, trust, sandbox } = args;
  const inside = (typed: string): string => typedPath(typed, context);
  const limits = { roots: roots.length === 0 ? undefined : roots.map(inside), readOnly };
  return { cwd: inside(cwd), ...limits, interpreter, backend, trust, sandbox, env, stderr, loadBackend };
}
