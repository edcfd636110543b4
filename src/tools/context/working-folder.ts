import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Runtime } from "../../runtime/runtime.ts";
import { realRoots, requireInside } from "../../support/files/roots.ts";
import { GranaryError, isGranaryError } from "../../support/granary-error.ts";
import { inTurn } from "../../support/turns.ts";
import type { ToolContext, ToolContextOptions } from "./tool-context.ts";

/**
 * The default folder of calls; if it is outside of the roots, the first root. With roots, both are without links.
 * `rootsNow`, in a sandbox, are the roots of the moment.
 */
export async function startingFolder(options: Pick<ToolContextOptions, "runtime" | "cwd" | "roots">) {
  const cwd = resolve(options.runtime.cwd, options.cwd ?? ".");
  const asked = options.roots && (await realRoots(options.roots.map((root) => resolve(cwd, root))));
  const rootsNow = await rootsOfSandbox(asked, options.runtime);
  const roots = rootsNow === undefined ? asked : takeRoots(rootsNow);
  // Each call that asks for them says why there are none.
  if (roots === null) return { cwd, roots: [], rootsNow };
  const [first] = roots ?? [];
  if (roots === undefined || first === undefined) return { cwd, roots };
  return { cwd: await requireInside(roots, cwd).catch(() => first), roots, rootsNow };
}

/** Null where no code may run in these folders, so that tools have none either. */
function takeRoots(rootsNow: () => readonly string[]): readonly string[] | null {
  try {
    return rootsNow();
  } catch (error) {
    if (isGranaryError(error, "sandbox")) return null;
    throw error;
  }
}

/**
 * In a sandbox, tools that act on this machine are limited to the folders that cells may write. The user may protect more of them
 * at any time, as with `git config core.hooksPath`: the next kernel cannot write there, and so neither can tools. Protected files
 * stay protected, because code could remove the file that names them.
 */
async function rootsOfSandbox(asked: readonly string[] | undefined, { cwd, settings, env }: Runtime) {
  const { python } = settings;
  if (python.sandbox === "off") return undefined;
  const { sandboxRoots } = await import("../../runtime/sandbox/sandbox-roots.ts");
  const all = new Set<string>();
  return (): readonly string[] => {
    for (const root of sandboxRoots(cwd, python, asked, env)) all.add(root);
    return [...all];
  };
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
