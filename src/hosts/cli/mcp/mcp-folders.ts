import { stat } from "node:fs/promises";
import type { CommandContext } from "../command/command-context.ts";
import { typedPath } from "../command/typed-path.ts";
import { UsageError } from "../command/usage-error.ts";
import type { McpArguments } from "./mcp-arguments.ts";

/** A folder that is not there would be told with every call; better at once. */
export async function requireFolders({ cwd = ".", roots }: McpArguments, context: CommandContext): Promise<void> {
  for (const folder of [cwd, ...roots].map((typed) => typedPath(typed, context))) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`);
  }
}

/** What the arguments mean to a workspace. */
export function workspaceOptions({ cwd = ".", roots, ...args }: McpArguments, context: CommandContext) {
  const { env, stderr, loadBackend } = context;
  const { readOnly, interpreter, backend } = args;
  const inside = (typed: string): string => typedPath(typed, context);
  const limits = { roots: roots.length === 0 ? undefined : roots.map(inside), readOnly };
  return { cwd: inside(cwd), ...limits, interpreter, backend, env, stderr, loadBackend };
}
