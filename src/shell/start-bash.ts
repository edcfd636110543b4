import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { stat } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { GranaryError } from "../support/granary-error.ts";
import { hasDescriptors, withoutForeignDescriptors } from "../support/process/descriptors.ts";
import { started } from "../support/process/process-group.ts";
import { startWatchingShell } from "../support/process/watching-shell.ts";
import type { OutputPipe } from "./output-pipe.ts";

/** A running command, in a session of its own. */
export interface BashProcess {
  /** The leader of its session and of its process group. */
  readonly pid: number;
  /** How many background processes the launcher ended with the command. */
  readonly endedWithIt: number;
  readonly exited: Promise<BashExit>;
  /** Whether bash has got through what it reads first, such as the login profile, and is at the command. */
  readonly hasBegun: boolean;
  /** Ends the watcher, when none of the command's processes is left. */
  dismissWatcher(): void;
}

export interface BashExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartBashOptions {
  /** The command to put in front of bash, such as a sandbox. */
  readonly launcher?: readonly string[] | undefined;
  /** Whether the launcher gives the command a list of processes of its own, and ends all of them with the command. */
  readonly endsBackground?: boolean | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts bash; rejects with a message that names the remedy. Its stdin is empty. */
export async function startBash(
  args: readonly string[],
  output: OutputPipe,
  { cwd, env, launcher = [], endsBackground = false }: StartBashOptions,
): Promise<BashProcess> {
  await requireFolder(cwd);
  const { writeEnd } = output;
  const [program = "bash", ...words] = [...launcher, ...(endsBackground ? counting : []), "bash", ...args];
  const start = (stdio: StdioOptions) => started(() => spawn(program, words, { cwd, env, detached: true, stdio }));
  const starting = withoutForeignDescriptors(["ignore", writeEnd, writeEnd, "pipe"], start);
  output.closeWriteEnd();
  const child = await starting.catch((error: NodeJS.ErrnoException) => {
    const remedy = error.code === "ENOENT" ? "Is it installed?" : "Close what holds files or processes open.";
    throw new GranaryError("bash-not-started", `bash could not be started: ${error.message}. ${remedy}`, {
      cause: error,
    });
  });
  const pid = child.pid as number;
  const beginning = new Beginning(child);
  const dismissWatcher = watchOver(pid);
  beginning.allow();
  return {
    pid,
    exited: exitOf(child),
    get hasBegun() {
      return beginning.isTold;
    },
    get endedWithIt() {
      return beginning.endedWithIt;
    },
    dismissWatcher,
  };
}

/**
 * A shell around bash that counts the processes beside it, which end after it: from outside, they would be seen or not as chance has
 * it. Its parent is the first process, or the way to the network. Its own messages, as about a crash of bash, are not the command's.
 */
const counting = [
  "/bin/sh",
  "-c",
  `exec 4>&2 2>/dev/null
(exec "$@" 2>&4 4>&-)
code=$? left=0
for process in /proc/[0-9]*; do
  case \${process#/proc/} in 1 | $$ | $PPID) continue ;; esac
  read -r stat < $process/stat || continue
  case \${stat##*) } in [ZX]*) ;; *) left=$((left + 1)) ;; esac
done
echo $left >&3
exit $code`,
  "sh",
];

/**
 * Descriptor 3 of bash: the composed command waits there until it may begin, and says that it begins. The shell around it says how
 * many processes are left.
 */
class Beginning {
  #told = "";
  readonly #socket: Duplex;

  constructor(child: ChildProcess) {
    const socket = child.stdio[3] as Duplex;
    this.#socket = socket;
    socket
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => {
        if (this.#told.length < longestReport) this.#told += chunk.toString("latin1");
      });
    // Background processes of the profile may hold the other end.
    child.once("exit", () => setImmediate(() => socket.destroy()));
  }

  get isTold(): boolean {
    return this.#told.includes(".");
  }

  get endedWithIt(): number {
    return Number(/(\d+)\n/.exec(this.#told)?.[1] ?? 0);
  }

  /** Not before the command is watched: a host that the command's first act ends would leave it behind. */
  allow(): void {
    this.#socket.write("\n");
  }
}

/** Nothing but a profile writes more. */
const longestReport = 100;

/**
 * Ends the command's processes if Granary is killed. The watcher reads from us: end of file
 * without a line means that Granary is gone.
 * @returns a function that ends the watcher
 */
function watchOver(leader: number): () => void {
  // The command runs without a watcher then.
  if (!hasDescriptors()) return () => {};
  const toWatcher = startWatchingShell(`read _ || kill -s KILL -- -${leader}`);
  return () => void toWatcher?.end("\n");
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
