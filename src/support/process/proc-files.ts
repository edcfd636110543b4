import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/** The children of a process on Linux, of all its threads. */
export function procChildren(pid: number): readonly number[] {
  return threadsOf(pid).flatMap((thread) =>
    procFile(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean).map(Number),
  );
}

/** The content of a file in `/proc`; empty when its process has ended. */
export function procFile(path: string, encoding: BufferEncoding = "latin1"): string {
  try {
    return readProcFile(path).toString(encoding);
  } catch {
    return "";
  }
}

/**
 * The first megabytes: Linux lets a program begin with 6 MB of arguments and variables, but then a program can call gigabytes of its
 * memory its variables, and `/proc` shows them all.
 */
export function readProcFile(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes < mostBytes; ) {
      const length = readSync(file, room, 0, room.length, null);
      if (length === 0) break;
      parts.push(Buffer.from(room.subarray(0, length)));
      bytes += length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  } finally {
    closeSync(file);
  }
}

const mostBytes = 8 * 1024 * 1024;
const room = Buffer.alloc(64 * 1024);

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
