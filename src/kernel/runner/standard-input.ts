import { createReadStream, fstatSync, readlinkSync } from "node:fs";
import type { Writable } from "node:stream";
import { KernelError } from "../errors.ts";

/**
 * The kinds of standard input. A program could open a file, a named pipe or a device again, for writing, in spite of its sandbox: it
 * gets only the content. An anonymous pipe, or a socket, cannot be opened by its name.
 */
export type StandardInput = "anonymous" | "named pipe" | "file or device";

/** @throws {KernelError} `start-failed` for a folder: Python would end with a fatal error */
export function standardInput(): StandardInput {
  const found = fstatSync(0);
  if (found.isDirectory()) {
    const remedy = "Give it a file, as in `granary run FILE < DATA`, or `< /dev/null` for nothing.";
    throw new KernelError("start-failed", `Standard input is a folder, which no program can read. ${remedy}`);
  }
  if (found.isSocket()) return "anonymous";
  if (!found.isFIFO()) return "file or device";
  return hasName() ? "named pipe" : "anonymous";
}

/** Where the system does not tell (macOS), opening a descriptor again gives no more rights than it has. */
function hasName(): boolean {
  try {
    return !readlinkSync("/proc/self/fd/0").startsWith("pipe:");
  } catch {
    return false;
  }
}

/** Copies until one side ends. A disk that fails in the middle is the end of the content. */
export function copyStandardInput(source: StandardInput, to: Writable): void {
  // A read of a pipe may wait for ever, and a thread that waits would keep this process from ending.
  const content = source === "named pipe" ? process.stdin : createReadStream("", { fd: 0, autoClose: false });
  content.on("error", () => to.end()).pipe(to);
}
