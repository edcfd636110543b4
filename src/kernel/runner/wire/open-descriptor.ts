import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import type { RunnerProcess } from "../spawn-runner.ts";

/** What Linux calls the things that the runner makes and hands over. */
export const runnersNames = {
  pipe: /^pipe:\[\d+\]$/,
  journal: /^\/memfd:granary-journal \(deleted\)$/,
  value: /\/granary-[0-9a-f]{16} \(deleted\)$/,
} as const;

/**
 * Opens what a descriptor of Python's leads to. Code in a sandbox can hold descriptors of files that it cannot read, where
 * Landlock does not look (`O_PATH`); opened from here, they could be read. So the name must be one that the runner gives. It
 * is asked of our own descriptor, which that code cannot exchange. Null for another name.
 */
export function openDescriptor(
  path: string,
  name: RegExp,
  { isLimited = false }: Pick<RunnerProcess, "isLimited">,
): number | null {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!isLimited || name.test(readlinkSync(`/proc/self/fd/${fd}`))) return fd;
  closeSync(fd);
  return null;
}
