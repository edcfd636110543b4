import { type ChildProcess, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import { GranaryError } from "../support/granary-error.ts";
import { hasDescriptors } from "../support/process/descriptors.ts";
import { started } from "../support/process/process-group.ts";
import type { OutputPipe } from "./output-pipe.ts";

/** A command under way, in a session of its own. */
export interface BashProcess {
  /** The leader of its session and of its process group. */
  readonly pid: number;
  readonly exited: Promise<BashExit>;
  /** Nothing of it is left, so nobody has to watch over it. */
  dismissWatcher(): void;
}

export interface BashExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartBashOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts bash, or rejects with a sentence. Its stdin is empty. */
export async function startBash(
  args: readonly string[],
  output: OutputPipe,
  { cwd, env }: StartBashOptions,
): Promise<BashProcess> {
  await requireFolder(cwd);
  const { writeEnd } = output;
  const start = () => spawn("bash", args, { cwd, env, detached: true, stdio: ["ignore", writeEnd, writeEnd] });
  const starting = started(start);
  output.closeWriteEnd();
  const child = await starting.catch((error: NodeJS.ErrnoException) => {
    const remedy = error.code === "ENOENT" ? "Is it installed?" : "Close what holds files or processes open.";
    throw new GranaryError("bash-not-started", `bash could not be started: ${error.message}. ${remedy}`, {
      cause: error,
    });
  });
  const pid = child.pid as number;
  return { pid, exited: exitOf(child), dismissWatcher: watchOver(pid) };
}

/**
 * Should Granary be killed, nobody else would end what the command has started. The watcher reads from us: end of file
 * without a line means that nobody is there any more.
 * @returns how to send it away
 */
function watchOver(leader: number): () => void {
  // The command runs already, so it goes on without a watcher.
  if (!hasDescriptors()) return () => {};
  const script = 'read -r line || kill -s KILL -- "-$1"';
  const watcher = spawn("/bin/sh", ["-c", script, "sh", String(leader)], {
    // Not in our group, which may be signalled as a whole.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => undefined).unref();
  watcher.stdin.on("error", () => undefined);
  return () => void watcher.stdin.end("\n");
}

async function requireFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => null);
  if (found?.isDirectory()) return;
  const problem = found === null ? "does not exist" : "is not a folder";
  throw new GranaryError("no-folder", `The working folder ${cwd} ${problem}. Create it, or name another.`);
}

function exitOf(child: ChildProcess): Promise<BashExit> {
  return new Promise((resolve) => child.once("exit", (exitCode, signal) => resolve({ exitCode, signal })));
}
