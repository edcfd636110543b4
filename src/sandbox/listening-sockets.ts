import { readFileSync, statSync } from "node:fs";

/** The flag 0x10000, type, state and inode, and the path: a machine has thousands of sockets, and few that listen. */
const listening = / [0-9A-F]{3}[13579BDF][0-9A-F]{4} [0-9A-F]{4} [0-9A-F]{2} +\d+ (\/[^\n]*)/g;

/**
 * The unix sockets on which programs of this machine listen, by their paths: docker, agents of keys, databases. Neither a
 * read-only mount nor Landlock keeps a program from connecting to one.
 */
export function listeningSockets(): readonly string[] {
  const paths = Array.from(contentOf("/proc/net/unix").matchAll(listening), ([, path = ""]) => path);
  return [...new Set(paths)].filter(isSocket);
}

/** The list has names as programs chose them: one without a path can look like a line with another path. */
function isSocket(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    return false;
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
