import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Runtime } from "../../runtime/runtime.ts";
import { realRoots, requireInside } from "../../support/files/roots.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { inTurn } from "../../support/turns.ts";
import type { ToolContext, ToolContextOptions } from "./tool-context.ts";

/** The default folder of calls; if it is outside of the roots, the first root. With roots, both are without links. */
export async function startingFolder(options: Pick<ToolContextOptions, "runtime" | "cwd" | "roots">) {
  const cwd = resolve(options.runtime.cwd, options.cwd ?? ".");
  const asked = options.roots && (await realRoots(options.roots.map((root) => resolve(cwd, root))));
  const roots = await withinSandbox(asked, options.runtime);
  const [first] = roots ?? [];
  if (roots === undefined || first === undefined) return { cwd, roots };
  return { cwd: await requireInside(roots, cwd).catch(() => first), roots };
}

/** In a sandbox, tools that act on this machine are limited to the folders that cells may write. */
async function withinSandbox(roots: readonly string[] | undefined, { cwd, settings, env }: Runtime) {
  const { python } = settings;
  if (python.sandbox === "off") return roots;
  const { sandboxRoots } = await import("../../runtime/sandbox/sandbox-roots.ts");
  return sandboxRoots(cwd, python, roots, env);
}

/**
 * The folder that a call names, checked, and without links where there are roots: a link may come between the check and the
 * start. Remote kernels check their own file system. An agent's calls are checked one after the other, so that they reach their
 * session in order.
 */
export function workingFolder(context: ToolContext, asked: string | undefined): Promise<string> {
  return inTurn(`working folders of ${context.owner} in ${context.session}`, () => checkedFolder(context, asked));
}

async function checkedFolder({ runtime, cwd, roots }: ToolContext, asked: string | undefined): Promise<string> {
  const named = resolve(cwd, asked ?? ".");
  if (runtime.site !== "here") return named;
  const folder = roots === null ? named : await requireInside(roots, named);
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) {
    const problem = found === null ? "does not exist" : "is not a folder";
    throw new GranaryError("no-folder", `The working folder ${folder} ${problem}. Create it, or name another.`);
  }
  return folder;
}
