import { join } from "node:path";
import { lstat, stat } from "../look.ts";

/**
 * The number of another user who owns a file or link; null for the caller, the system, and the owner of a folder that the user chose to
 * work in. As with git's `safe.directory`, code of anyone else does not run because of where it lies. In a folder that all users may
 * write, such as `/tmp`, the owner is no choice of the user.
 * @throws where there is nothing: it may have been there a moment ago, and may be back in another
 */
export async function strangerAt(path: string, chosen: readonly string[]): Promise<number | null> {
  const stranger = await strangersNumber(path);
  if (stranger === null) return null;
  const folders = await Promise.all(chosen.map((folder) => stat(folder).catch(() => null)));
  return folders.some((folder) => folder !== null && folder.uid === stranger && !isForAll(folder)) ? null : stranger;
}

/**
 * The number of another user who put a file, or a folder on the way to it, where all users may write; null for any other file. Not the
 * owner of the folder, whose word its files are anyway: code that opens a folder for all must not lose the limits that its owner set.
 */
export async function strangerBelow(folder: string, ...way: readonly string[]): Promise<number | null> {
  const owner = await stat(folder).then(
    ({ uid }) => uid,
    () => null,
  );
  let at = folder;
  let isShared = false;
  for (const name of way) {
    isShared ||= await mayAllWrite(at);
    at = join(at, name);
    const stranger = isShared ? await strangersNumber(at).catch(() => null) : null;
    if (stranger !== null && stranger !== owner) return stranger;
  }
  return null;
}

/** Whether all users may write in a folder. */
export function mayAllWrite(folder: string): Promise<boolean> {
  return stat(folder).then(isForAll, () => false);
}

function isForAll({ mode }: { readonly mode: number }): boolean {
  return (mode & 0o002) !== 0;
}

/** A link has an owner of its own: where a link of the user leads is the user's word. */
async function strangersNumber(path: string): Promise<number | null> {
  const own = process.getuid?.();
  const { uid } = await lstat(path);
  return own === undefined || uid === own || uid === 0 ? null : uid;
}
