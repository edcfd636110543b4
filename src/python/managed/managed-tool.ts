import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { deferred } from "../../support/deferred.ts";
import type { Environment } from "../../support/environment.ts";
import { endGroup, signalGroup, started } from "../../support/process/process-group.ts";

export interface ToolOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly onLine?: (line: string) => void;
}

export interface ToolEnd {
  readonly succeeded: boolean;
  /** The last lines of both streams. */
  readonly lines: readonly string[];
}

const linesKept = 40;
const graceMs = 2_000;

/** Runs a program to its end and passes its output on, line by line. A cancel also ends all its children. */
export async function runTool(program: string, args: readonly string[], options: ToolOptions): Promise<ToolEnd> {
  const { cwd, env, signal, onLine } = options;
  signal.throwIfAborted();
  const start = () => spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const child = await started(start).catch((error: NodeJS.ErrnoException) => error);
  if (child instanceof Error) {
    return { succeeded: false, lines: [child.code === "ENOENT" ? "there is no such program" : child.message] };
  }
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > linesKept) lines.shift();
      onLine?.(line);
    });
  }
  const { pid } = child;
  const exited = deferred<number | null>();
  const closed = deferred<void>();
  child.once("exit", (code) => {
    // Processes that it left running would keep the streams open.
    if (pid !== undefined) signalGroup(pid, "SIGKILL");
    exited.resolve(code);
  });
  child.once("close", () => closed.resolve());
  const stop = () => {
    if (pid !== undefined) void endGroup(pid, exited.promise, graceMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const code = await exited.promise;
    await closed.promise;
    signal.throwIfAborted();
    return { succeeded: code === 0, lines };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
