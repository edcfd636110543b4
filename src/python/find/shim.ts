import { open, realpath } from "node:fs/promises";
import { basename } from "node:path";
import { isShortage } from "../../support/process/exhaustion.ts";

/**
 * Whether this is a program that starts Python rather than Python: asdf and pyenv write scripts, mise links to
 * itself. It takes longer than Python every time, so the Python behind it is what kernels are started with.
 */
export async function looksLikeShim(path: string): Promise<boolean> {
  const program = await realpath(path);
  if (!/^(python|pypy|graalpy)/.test(basename(program))) return true;
  // What may be executed but not read is no script.
  const file = await open(program).catch((error) => {
    if (isShortage(error)) throw error;
    return null;
  });
  if (file === null) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2);
    return buffer.toString() === "#!";
  } finally {
    await file.close();
  }
}
