import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Runtime } from "../../runtime/runtime.ts";
import { requireInside } from "../../support/files/roots.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { inTurn } from "../../support/turns.ts";
import type { ToolContext, ToolContextOptions } from "./tool-context.ts";

/** The default folder of calls; if it is outside of the roots, the first root. */
export async function startingFolder(options: Pick<ToolContextOptions, "runtime" | "cwd" | "roots">) {
  const cwd = resolve(options.runtime.cwd, options.cwd ?? ".");
  const roots = await withinSandbox(
    cwd,
    options.roots?.map((root) => resolve(cwd, root)),
    options.runtime,
  );
  const [first] = roots ?? [];
  if (roots === undefined || first === undefined) return { cwd, roots };
  const isInside = await requireInside(roots, cwd).then(
    () => true,
    () => false,
  );
  return { cwd: isInside ? cwd : first, roots };
}

/** In a sandbox, tools that act on this machine are limited to the folders that cells may write. */
async function withinSandbox(cwd: string, roots: readonly string[] | undefined, { settings, env }: Runtime) {
  const { python } = settings;
  if (python.sandbox === "off") return roots;
  const { sandboxRoots } = await import("../../runtime/sandbox/sandbox-roots.ts");
  return sandboxRoots(cwd, python, roots, env);
}

/**
 * The folder that a call names, checked; remote kernels check their own file system. An agent's calls are checked
 * one after the other, so that they reach their session in order.
 */
export function workingFolder(context: ToolContext, asked: string | undefined): Promise<string> {
  return inTurn(`working folders of ${context.owner} in ${context.session}`, () => checkedFolder(context, asked));
}

async function checkedFolder({ runtime, cwd, roots }: ToolContext, asked: string | undefined): Promise<string> {
  const folder = resolve(cwd, asked ?? ".");
  if (runtime.site !== "here") return folder;
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) {
    const problem = found === null ? "does not exist" : "is not a folder";
    throw new GranaryError("no-folder", `The working folder ${folder} ${problem}. Create it, or name another.`);
  }
  if (roots !== null) await requireInside(roots, folder);
  return folder;
}
