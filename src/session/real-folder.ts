import { realpathSync } from "node:fs";

/** The folder that a path leads to, so that links to one folder name the same sessions; the path itself where there is none. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
