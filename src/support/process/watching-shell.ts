import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { withoutForeignDescriptors } from "./descriptors.ts";
import { systemEnvironment } from "./system-program.ts";

/**
 * Starts a shell of a few hundred kilobytes that outlives this process for a moment: its script begins with `read _`, which
 * fails when this process is gone, however it ended. The shell keeps no host running. Never throws: the caller has started the
 * process that it watches over, and must not lose it.
 * @returns its standard input: a line means a clean end. Null where no shell could be started
 */
export function startWatchingShell(script: string): Writable | null {
  try {
    const watcher = withoutForeignDescriptors(["pipe", "ignore", "ignore"], (stdio) =>
      spawn("/bin/sh", ["-c", script], {
        env: systemEnvironment,
        detached: true, // Ctrl-C on our terminal is not for it
        stdio,
      }),
    ) as ChildProcessByStdio<Writable, null, null>;
    watcher.on("error", () => undefined);
    watcher.stdin.on("error", () => undefined);
    watcher.unref();
    (watcher.stdin as unknown as { unref?(): void }).unref?.();
    return watcher.stdin;
  } catch {
    // No descriptors for a pipe.
    return null;
  }
}
