import { open, stat } from "node:fs/promises";

/** Whether Python would look for a `__main__.py` in it: a folder, or a file that ends as zip files do. */
export async function isArchive(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null) return false;
  if (found.isDirectory()) return true;
  if (!found.isFile()) return false;
  const length = Math.min(found.size, longestEnd);
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, found.size - length);
    return buffer.subarray(0, bytesRead).includes(endMark);
  } catch {
    // The next reader tells why it cannot be read.
    return false;
  }
}

/** The end record of a zip file, which begins with this mark, has 22 bytes and a comment of up to 65535. */
const endMark = "PK\x05\x06";
const longestEnd = 22 + 65_535;
