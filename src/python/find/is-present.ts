import { lstat } from "node:fs/promises";

/** Whether there is anything of that name; true for a dangling link too. */
export async function isPresent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
