import { existsSync, readFileSync } from "node:fs";

const listens = 0x10000;

/**
 * The unix sockets on which programs of this machine listen, by their paths: docker, agents of keys, databases. Neither a
 * read-only mount nor Landlock keeps a program from connecting to one.
 */
export function listeningSockets(): readonly string[] {
  const lines = contentOf("/proc/net/unix").split("\n").slice(1);
  const paths = lines.flatMap((line) => {
    const [, , , flags = "0", , , , ...name] = line.split(" ").filter((field) => field !== "");
    const path = name.join(" ");
    return Number.parseInt(flags, 16) & listens && path.startsWith("/") && existsSync(path) ? [path] : [];
  });
  return [...new Set(paths)];
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
