import { spawn } from "node:child_process";
import { hasDescriptors } from "../../support/process/descriptors.ts";

/**
 * Sees to it that a process group ends when this process does, however that happens. A kernel's own look at its parent
 * comes once a second, not while C code runs, and leaves its children behind. So a shell of a few hundred kilobytes reads
 * from a pipe: a line means that all is over, and its end without one that we are gone.
 */
export function tieToUs(group: number): { readonly untie: () => void } {
  // Without it, ipykernel's own look at its parent remains.
  if (!hasDescriptors()) return { untie: () => {} };
  const watcher = spawn("/bin/sh", ["-c", `read _ || kill -s KILL -- -${group}`], {
    detached: true, // what is typed on our terminal is not for it
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  (watcher.stdin as unknown as { unref?(): void }).unref?.();
  return { untie: () => watcher.stdin.end("over\n") };
}
