import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin } from "../../sandbox/is-within.ts";
import type { SessionKey } from "../../session/session-pool.ts";
import type { Environment } from "../../support/environment.ts";
import { sandboxRoots } from "./sandbox-roots.ts";

/**
 * The folders for files that Granary itself saves while cells of a session run, such as their notebook. In a sandbox they are
 * those of the tools, because a cell may put a link in the file's place. A file that the user named in another folder,
 * which cells cannot write, is allowed by itself.
 * @param runtime its folder, and its own limits: those of the session may come from another client
 * @param asked folders that the files must be in anyway; null for any
 */
export async function saveRoots(
  { cwd, limits = "[]" }: SessionKey,
  runtime: Pick<SessionKey, "cwd" | "limits">,
  files: readonly string[],
  asked: readonly string[] | null,
  env: Environment,
): Promise<readonly string[] | null> {
  const [sandbox = "off", , sandboxWrite = []] = JSON.parse(limits) as [string?, unknown?, string[]?];
  if (sandbox === "off") return asked;
  // As a session's sandbox chooses its folder.
  const base = limits === runtime.limits && isWithin(runtime.cwd, cwd) ? runtime.cwd : cwd;
  const isException = (root: string): boolean => root.startsWith("!");
  const roots = sandboxRoots(
    base,
    { sandboxWrite },
    asked?.filter((root) => !isException(root)),
    env,
  );
  if (asked !== null) return [...roots, ...asked.filter(isException)];
  const isElsewhere = (file: string): boolean => [base, ...roots].every((root) => !isWithin(root, file));
  const named = files.map((file) => resolve(file)).filter(isElsewhere);
  return [...roots, ...(await Promise.all(named.map(realFile)))];
}

/** The file need not exist yet. */
async function realFile(path: string): Promise<string> {
  const inFolder = async () => join(await realpath(dirname(path)), basename(path));
  return realpath(path)
    .catch(inFolder)
    .catch(() => path);
}
