import { openSync } from "node:fs";

/** Takes every file descriptor that this process may still open. */
export function openAll() {
  /** @type {number[]} */
  const opened = [];
  try {
    for (;;) opened.push(openSync("/dev/null", "r"));
  } catch {
    return opened;
  }
}
