import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { McpArguments } from "./mcp-arguments.ts";
import type { Surroundings } from "./surroundings.ts";
import { UsageError } from "./usage-error.ts";

/** A folder that is not there would be told with every call; better at once. */
export async function requireFolders({ cwd = ".", roots }: McpArguments, from: string): Promise<void> {
  for (const folder of [cwd, ...roots].map((typed) => resolve(from, typed))) {
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) throw new UsageError(`There is no folder ${folder}.`);
  }
}

/** What the arguments mean to a workplace. */
export async function workplaceOptions(args: McpArguments, surroundings: Surroundings) {
  const { cwd: from, env, stderr, loadBackend } = surroundings;
  const { readOnly, interpreter, backend } = args;
  const roots = args.roots.map((typed) => resolve(from, typed));
  const cwd = args.cwd === undefined ? await startingFolder(from, roots) : resolve(from, args.cwd);
  const limits = { roots: roots.length === 0 ? undefined : roots, readOnly };
  return { cwd, ...limits, interpreter, backend, env, stderr, loadBackend };
}

/** The folder that we were started in; but clients start servers anywhere, and nothing there could be seen then. */
async function startingFolder(from: string, roots: readonly string[]): Promise<string> {
  const [first] = roots;
  if (first === undefined) return from;
  const { requireInside } = await import("../../tools/files/roots.ts");
  return requireInside(roots, from).then(
    () => from,
    () => first,
  );
}
