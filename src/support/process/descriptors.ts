import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** What starting a program takes for a moment, with as many pipes as anybody here gives to one. */
const forOneProgram = 16;

/**
 * Throws when this process could not open so many files now; opening them is the only way to know. To be called right
 * before `spawn`: a start that fails for want of descriptors leaves those it had got open for ever.
 */
export function requireDescriptors(count = forOneProgram): void {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, "r"));
  } catch (cause) {
    const { code, errno } = cause as NodeJS.ErrnoException;
    throw Object.assign(new Error(`${code}: too many open files`, { cause }), { code, errno });
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

export function hasDescriptors(count?: number): boolean {
  try {
    requireDescriptors(count);
    return true;
  } catch {
    return false;
  }
}
