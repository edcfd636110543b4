import { closeSync, constants, openSync, readlinkSync } from "node:fs";

/** Names that Linux gives to the things which the runner makes and hands over. */
export const runnersNames = {
  pipe: /^pipe:\[\d+\]$/,
  journal: /^\/memfd:granary-journal \(deleted\)$/,
  value: /\/granary-[0-9a-f]{16} \(deleted\)$/,
} as const;

/**
 * Opens what a descriptor of a Python with limits leads to. Code in a sandbox can hold descriptors of files that it cannot read, where
 * Landlock does not look (`O_PATH`); opened from here, they could be read. So the name must be one that the runner gives. It
 * is asked of our own descriptor, which that code cannot exchange. Null for another name.
 */
export function openLimited(path: string, name: RegExp): number | null {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (name.test(readlinkSync(`/proc/self/fd/${fd}`))) return fd;
  closeSync(fd);
  return null;
}
