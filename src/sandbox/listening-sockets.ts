import { readFileSync, statSync } from "node:fs";
import { GranaryError } from "../support/granary-error.ts";
import { isWithin } from "./is-within.ts";
import { realOrSame } from "./real-path.ts";
import { isUsable } from "./secrets/is-usable.ts";

/**
 * Flags, type, state and inode, and the path: a machine has thousands of sockets, and few that listen, which the flag 0x10000 says.
 * One for datagrams, of type 2, takes them from everybody as soon as it has a path. A path may have line breaks, so what follows is
 * taken as well, up to the most bytes that the system allows.
 */
const listening =
  / [0-9A-F]{3}(?:[13579BDF][0-9A-F]{4} [0-9A-F]{4}|[0-9A-F]{5} 0002) [0-9A-F]{2} +\d+ (?=(\/.{0,107}))/gs;

interface SocketWish {
  /** Folders in which sockets need no cover. */
  readonly apart: readonly string[];
  /** Paths that programs inside need. */
  readonly needed: readonly string[];
}

/**
 * The unix sockets on which programs of this machine listen, or take datagrams, by their paths: docker, agents of keys, databases,
 * logs. Neither a read-only mount nor Landlock keeps a program from connecting to one. In place of a path that no engine takes, the
 * folder around it; throws where programs inside need that folder.
 */
export function listeningSockets({ apart, needed }: SocketWish = { apart: [], needed: [] }): readonly string[] {
  const found = Array.from(listOfSockets().matchAll(listening), ([, text = ""]) => pathsIn(text)).flat();
  const names = [...new Set(found)].flatMap((path) => {
    const name = nameOf(path);
    if (name !== null) return [name];
    const folder = realOrSame(folderAround(path));
    if (apart.some((one) => isWithin(one, folder)) || !isUsable(bytesOf(path))) return [];
    if (needed.some((one) => isWithin(folder, one))) throw cannotHide(path, folder);
    return [folder];
  });
  return [...new Set(names)];
}

/** Of all lengths, byte by byte. The list has names as programs chose them: one without a path can look like a line with another path. */
function pathsIn(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.map((_, index) => lines.slice(0, index + 1).join("\n")).filter(isSocket);
}

/** Null for a path that is not UTF-8, or has a line break: arguments of programs and lines of a policy cannot have it. */
function nameOf(path: string): string | null {
  const name = bytesOf(path).toString("utf8");
  return Buffer.from(name).equals(bytesOf(path)) && !name.includes("\n") ? name : null;
}

/** The nearest one that has a name. */
function folderAround(path: string): string {
  const above = path.slice(0, path.lastIndexOf("/")) || "/";
  return nameOf(above) ?? folderAround(above);
}

function cannotHide(path: string, folder: string): GranaryError {
  const said = JSON.stringify(bytesOf(path).toString("utf8"));
  const problem = `A program listens on the socket ${said}, which a sandbox cannot hide: its path has a line break or is not UTF-8, and programs inside need the folder ${folder} around it.`;
  return new GranaryError(
    "sandbox",
    `${problem} Nothing was started. Stop that program, or give its folder another name.`,
  );
}

function isSocket(path: string): boolean {
  try {
    return statSync(bytesOf(path), { throwIfNoEntry: false })?.isSocket() ?? false;
  } catch {
    return false;
  }
}

function bytesOf(path: string): Buffer {
  return Buffer.from(path, "latin1");
}

/** One character for each byte. */
function listOfSockets(): string {
  try {
    return readFileSync("/proc/net/unix", "latin1");
  } catch {
    return "";
  }
}
