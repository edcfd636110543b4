import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";

/** Descriptors that a start needs for a moment, with the most pipes that Granary gives to a child. */
const forOneProgram = 16;

/**
 * Throws when this process cannot open that many files now; opening them is the only way to know. Call it right
 * before `spawn`: a start that fails for want of descriptors leaks those it had opened.
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
