import { constants } from "node:fs";
import { open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { requireInside, requireRealInside } from "./roots.ts";

/** A file in an open folder: `await using held = await holdFile(path, within)`. */
export interface HeldFile extends AsyncDisposable {
  /** The path for system calls. It starts at the open folder, so links that replace parts of the original path have no effect. */
  readonly at: string;
  /** The path without links, for people and for comparisons. */
  readonly real: string;
  /** Throws when the file is outside by now. */
  stillInside(): Promise<void>;
}

/** Linux opens a folder with this flag without reading it, so search permission suffices. */
const pathOnly = 0o10000000;
/** macOS refuses to open a path with a link in any part of it. */
const noLinksAtAll = 0x20000000;
const canHold = process.platform === "linux";

/** Flags for opening a file whose path has no links: a link that took its place is refused with ELOOP. */
export const withoutLinks: number = process.platform === "darwin" ? noLinksAtAll : constants.O_NOFOLLOW;

/**
 * Opens the folder of a file, then checks what was opened: a check before the open would miss a link that another process
 * puts there in between. The file itself need not exist; open it with `withoutLinks`. Systems other than Linux have no path
 * that starts at an open folder. There, `stillInside` checks again right before a file is replaced.
 * @param within folders that the file must be in, wherever links lead, as `realRoots` returned them; null for any
 */
export async function holdFile(path: string, within: readonly string[] | null | undefined): Promise<HeldFile> {
  if (within === null || within === undefined) {
    return { at: path, real: path, stillInside: async () => {}, [Symbol.asyncDispose]: async () => {} };
  }
  const real = await requireInside(within, path);
  if (!canHold) {
    const stillInside = async () => void (await requireInside(within, real));
    return { at: real, real, stillInside, [Symbol.asyncDispose]: async () => {} };
  }
  const { at, ...held } = await openFolder(path, dirname(real), basename(real), within);
  return { ...held, at: `${at}/${basename(real)}`, real };
}

/** The same for a folder and the names in it. */
export async function holdFolder(path: string, within: readonly string[] | null): Promise<Omit<HeldFile, "real">> {
  if (within === null || !canHold) return holdFile(path, within);
  return openFolder(path, await requireInside(within, path), "", within);
}

async function openFolder(
  path: string,
  real: string,
  name: string,
  within: readonly string[],
): Promise<Omit<HeldFile, "real">> {
  const folder = await open(real, pathOnly | constants.O_DIRECTORY);
  const at = `/proc/self/fd/${folder.fd}`;
  const stillInside = async () => requireRealInside(within, path, join(await readlink(at), name));
  try {
    await stillInside();
  } catch (error) {
    await folder.close();
    throw error;
  }
  return { at, stillInside, [Symbol.asyncDispose]: () => folder.close() };
}

/** The target of a link. A held path has no links, and resolving it would let go of its folder. */
export async function targetOfLinks(path: string): Promise<string> {
  return /^\/proc\/self\/fd\/\d+\/[^/]+$/.test(path) ? path : realpath(path).catch(() => path);
}
