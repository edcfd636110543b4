import { type StdioOptions, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { deferred } from "../../support/deferred.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { withoutForeignDescriptors } from "../../support/process/descriptors.ts";
import { endWholeGroup, started } from "../../support/process/process-group.ts";
import { endStrayProcesses } from "../../support/process/stray-processes.ts";
import { selfPortrait } from "./self-portrait.ts";
import type { ShellKind } from "./snapshot-path.ts";

export interface AskShellOptions {
  readonly shell: string;
  readonly kind: ShellKind;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads the login profile as well. */
  readonly login: boolean;
  /** The command to put in front of the shell, such as a sandbox. */
  readonly launcher?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

const lastWordsMs = 100;
const endGraceMs = 500;
const atMostBytes = 8 * 1024 * 1024;

/**
 * Starts the user's interactive shell and returns its description of itself. None of the processes that its rc files
 * started runs when this settles.
 */
export async function askShell(options: AskShellOptions): Promise<Buffer> {
  const { shell, kind, userHome, env, login, launcher = [], signal } = options;
  signal.throwIfAborted();
  const word = randomBytes(16).toString("hex");
  const asked = [shell, ...(login ? ["-l"] : []), "-i", "-c", selfPortrait(kind, word)];
  const [program = "", ...words] = [...launcher, "/bin/sh", "-c", notForEver, "sh", userHome, ...asked];
  const open = (stdio: StdioOptions) =>
    spawn(program, words, {
      // Not the project's folder: direnv and similar tools would put the project into the snapshot.
      cwd: launcher.length === 0 ? userHome : "/",
      // The word marks every process that the rc files start, and lets rc files detect that the shell has no user.
      env: { ...env, TERM: "dumb", [captureMark]: word },
      // A session of its own has no terminal that an rc file could print to, read from or take over.
      detached: true,
      stdio,
    });
  const start = () => withoutForeignDescriptors(["ignore", "ignore", "ignore", "pipe"], open);
  const child = await started(start).catch((error) => {
    throw new GranaryError("no-snapshot", `${shell} could not be started: ${error.message}.`);
  });
  const answer = deferred<Buffer>();
  const fail = (problem: string) => answer.reject(new GranaryError("no-snapshot", problem));
  const stop = () => answer.reject(signal.reason);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const endedTooEarly = (code: number | null, by: NodeJS.Signals | null) => fail(whyEnded(shell, code, by));
  child.once("close", endedTooEarly);
  // A background process may keep the pipe open, and the shell's last output may still be on its way.
  child.once("exit", (...how) => setTimeout(() => setImmediate(endedTooEarly, ...how), lastWordsMs));
  const saying = child.stdio[3] as Readable;
  collect(saying, `end\0${word}\0`, answer.resolve, fail);
  try {
    return await answer.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    child.removeAllListeners("exit");
    // SIGTERM first: a process that holds a lock, as pyenv does while it makes its shims, would leave it behind for every later shell.
    if (child.pid !== undefined) await endWholeGroup(child.pid, endGraceMs);
    saying.destroy();
    await endStrayProcesses(captureMark, word);
  }
}

/** Set in the environment of the captured shell, so that an rc file can skip slow parts. */
export const captureMark = "GRANARY_SHELL_CAPTURE";

function collect(
  saying: Readable,
  end: string,
  whenComplete: (said: Buffer) => void,
  fail: (problem: string) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let tail = Buffer.alloc(0);
  saying.on("error", () => undefined);
  saying.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    tail = Buffer.concat([tail, chunk]).subarray(-end.length);
    if (bytes > atMostBytes) fail(`The shell has more than ${atMostBytes >> 20} MB of functions and variables.`);
    else if (tail.toString() === end) whenComplete(Buffer.concat(chunks));
  });
}

/** If Granary is killed, this ends a shell that hangs in its rc files. A launcher may have its own folder. */
const notForEver = 'cd -- "$1" 2>/dev/null; shift; (sleep 60 && kill -s KILL -- -$$) 3>&- & exec "$@"';

function whyEnded(shell: string, code: number | null, signal: NodeJS.Signals | null): string {
  if (code === 126 || code === 127) return `${shell} could not be started.`;
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return `${shell} ended ${how} while it read its rc files; one of them may call exit or exec.`;
}
