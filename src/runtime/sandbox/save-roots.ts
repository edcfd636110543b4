import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { leadsInto } from "../../sandbox/leads-into.ts";
import type { SessionKey } from "../../session/session-pool.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import type { Environment } from "../../support/environment.ts";
import { knownSandboxes } from "../../support/files/foreign/known-places.ts";
import { earlier, foldersForFile } from "./own-way.ts";
import { inBoth, rootsIn, sandboxRoots } from "./sandbox-roots.ts";
import { limitsFrom } from "./session-limits.ts";

/**
 * The folders for files that Granary itself saves while cells of a session run, such as their notebook. In a sandbox they are
 * those of the tools, because a cell may put a link in the file's place. A file that the user named in another folder,
 * which cells cannot write, is allowed by itself. So is every file without a sandbox, unless code in an earlier one may have made a link
 * on the way to it.
 * @param key of the session, whose limits may come from another client
 * @param asked folders that the files must be in anyway, without links; null for any
 */
export async function saveRoots(
  { limits }: Pick<SessionKey, "limits">,
  files: readonly string[],
  asked: readonly string[] | null,
  env: Environment,
): Promise<readonly string[] | null> {
  const { base, write } = limits === undefined ? { base: null, write: [] } : limitsFrom(limits);
  const home = granaryHome(env);
  if (base === null) {
    const isNamed = asked === null;
    const isFree = files.every((file) => laterSaveRoots(file, home, env, isNamed) === null);
    if (isFree) return asked;
    const roots = await rootsOf(files, home, env, isNamed);
    return asked === null ? roots : within(asked, roots);
  }
  const roots = sandboxRoots(
    base,
    { sandboxWrite: write },
    asked?.filter((root) => !isException(root)),
    env,
  );
  if (asked !== null) return [...roots, ...asked.filter(isException)];
  const writable = roots.filter((root) => !isException(root));
  // Also by a link of the user's, after which a cell decides where the path leads.
  const named = files.filter((file) => !leadsInto(writable, file));
  for (const file of files) foldersForFile(file, [writable], { maker: "code in the sandbox" });
  return [...roots, ...(await rootsOf(named, home, env, true))];
}

/** With the exceptions of both. */
function within(asked: readonly string[], roots: readonly string[]): readonly string[] {
  const folders = inBoth(
    asked.filter((root) => !isException(root)),
    roots.filter((root) => !isException(root)),
  );
  return [...new Set([...folders, ...asked.filter(isException), ...roots.filter(isException)])];
}

async function rootsOf(files: readonly string[], home: string, env: Environment, isNamed: boolean) {
  const each = files.map(async (file) => laterSaveRoots(file, home, env, isNamed) ?? [await realFile(resolve(file))]);
  return (await Promise.all(each)).flat();
}

/**
 * The same for a file that the user saves now, with content that code in an earlier sandbox may have made: null, for any folder, unless
 * the way to the file enters a folder that such code could write. A link there may be the code's, and leads nowhere else: throws where it does.
 * @param home Granary's own folder, which has the record of these folders
 * @param isNamed whether the caller can name any other file instead
 */
export function laterSaveRoots(file: string, home: string, env: Environment, isNamed = true): readonly string[] | null {
  const folders = foldersForFile(file, knownSandboxes(home), { maker: earlier, isNamed });
  return folders === null ? null : [...new Set(folders.flatMap((folder) => rootsIn([folder], folder, env)))];
}

function isException(root: string): boolean {
  return root.startsWith("!");
}

/** The file need not exist yet. */
async function realFile(path: string): Promise<string> {
  const inFolder = async () => join(await realpath(dirname(path)), basename(path));
  return realpath(path)
    .catch(inFolder)
    .catch(() => path);
}
