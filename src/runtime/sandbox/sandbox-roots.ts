import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import { protectedPaths, writableFolders } from "../../sandbox/sandbox-plan.ts";
import { expandHome } from "../../settings/granary-home.ts";
import type { Settings } from "../../settings/settings.ts";

/**
 * The folders of tools that read and write files outside of the sandbox, on behalf of code inside: those that the code
 * may write itself, without the protected files in them.
 */
export function sandboxRoots(
  cwd: string,
  { sandboxWrite }: Pick<Settings["python"], "sandboxWrite">,
  asked: readonly string[] | undefined,
): readonly string[] {
  const more = sandboxWrite.map((folder) => resolve(cwd, expandHome(folder, process.env)));
  const writable = writableFolders(cwd, more);
  const roots = (asked ?? writable).map(real);
  const both = [
    ...roots.filter((root) => writable.some((folder) => isWithin(folder, root))),
    ...writable.filter((folder) => roots.some((root) => isWithin(root, folder))),
  ];
  const exceptions = protectedPaths(writable, real(process.env.HOME || homedir())).map((path) => `!${path}`);
  return [...new Set([...both, ...exceptions])];
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
