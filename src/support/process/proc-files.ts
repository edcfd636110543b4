import { readdirSync, readFileSync } from "node:fs";

/** The children of a process on Linux, of all its threads. */
export function procChildren(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    procFile(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

/** The content of a file in `/proc`; empty when its process has ended. */
export function procFile(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
