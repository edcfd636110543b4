import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { requireInside } from "./files/roots.ts";
import type { ToolContext } from "./tool-context.ts";
import { ToolError } from "./tool-error.ts";

/** The folder that a call names, checked; kernels elsewhere answer for their own file system. */
export async function workingFolder(
  { granary, cwd, roots }: Pick<ToolContext, "granary" | "cwd" | "roots">,
  asked: string | undefined,
): Promise<string> {
  const folder = resolve(cwd, asked ?? ".");
  if (granary.site !== "here") return folder;
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) {
    const problem = found === null ? "does not exist" : "is not a folder";
    throw new ToolError("no-folder", `The working folder ${folder} ${problem}. Create it, or name another.`);
  }
  if (roots !== null && asked !== undefined) await requireInside(roots, folder);
  return folder;
}
