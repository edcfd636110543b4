import { lstat } from "node:fs/promises";

/** Whether the path exists; true for a dangling link. */
export async function isPresent(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
