import { homedir } from "node:os";
import { resolve } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import { realOrSame } from "../../sandbox/real-path.ts";
import { protectedPaths, writableFolders } from "../../sandbox/sandbox-plan.ts";
import { keptSecrets } from "../../sandbox/secrets/kept-secrets.ts";
import { hiddenPaths } from "../../sandbox/secrets/secret-paths.ts";
import { expandHome, granaryHome } from "../../settings/granary-home.ts";
import type { Settings } from "../../settings/settings.ts";
import type { Environment } from "../../support/environment.ts";

/**
 * The folders of tools that read and write files outside of the sandbox, on behalf of code inside: those that the code
 * may write itself, without the protected and the hidden files in them.
 * @param cwd the folder of the runtime
 * @param asked further limits, as `realRoots` returned them
 */
export function sandboxRoots(
  cwd: string,
  { sandboxWrite }: Pick<Settings["python"], "sandboxWrite">,
  asked: readonly string[] | undefined,
  env: Environment,
): readonly string[] {
  const more = sandboxWrite.map((folder) => resolve(cwd, expandHome(folder, env)));
  const writable = writableFolders(cwd, more);
  const roots = asked ?? writable;
  const both = [
    ...roots.filter((root) => writable.some((folder) => isWithin(folder, root))),
    ...writable.filter((folder) => roots.some((root) => isWithin(root, folder))),
  ];
  return [...new Set([...both, ...exceptionsIn(writable, cwd, env)])];
}

/** The folders as they are named, without the protected and the hidden files in them. */
export function rootsIn(folders: readonly string[], cwd: string, env: Environment): readonly string[] {
  return [...new Set([...folders, ...exceptionsIn(folders, cwd, env)])];
}

function exceptionsIn(folders: readonly string[], cwd: string, env: Environment): readonly string[] {
  const userHome = realOrSame(env.HOME || homedir());
  return [...protectedPaths(folders, userHome), ...hiddenIn(folders, cwd, userHome, env)].map((path) => `!${path}`);
}

/** Secrets in writable folders, by their names, which need not exist, and what they lead to. */
function hiddenIn(writable: readonly string[], cwd: string, userHome: string, env: Environment): readonly string[] {
  const names = hiddenPaths(userHome, realOrSame(granaryHome(env)), env, [cwd]);
  const isInside = (path: string): boolean => writable.some((folder) => path !== folder && isWithin(folder, path));
  return [...names, ...keptSecrets(names)].filter(isInside);
}
