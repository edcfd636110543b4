import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Why files could not be kept in a folder, which need not exist yet; null if they could. Nothing is made to find out. */
export async function whyNotWritable(folder: string): Promise<string | null> {
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is not a folder`;
    await access(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT" || code === "ENOTDIR";
    if (isMissing && dirname(folder) !== folder) return whyNotWritable(dirname(folder));
    return code === "EROFS" ? `${folder} is on a disk that can only be read` : `${folder} may not be written`;
  }
}
