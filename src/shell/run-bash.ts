import type { Capture } from "../output/capture.ts";
import { type Deadline, deadlineAfter } from "../support/deadline.ts";
import { sayTimeLimit } from "../support/say-count.ts";
import { commandFile, type SharedFolder } from "./command-file.ts";
import { type ComposeBashOptions, composeBash } from "./compose-bash.ts";
import { OutputPipe } from "./output-pipe.ts";
import { endSession, sessionMembers } from "./process-session.ts";
import { type BashExit, type BashProcess, type StartBashOptions, startBash } from "./start-bash.ts";

export interface RunBashOptions extends ComposeBashOptions, StartBashOptions {
  /** A folder that the command sees under another name, where it does not see ours. */
  readonly shared?: SharedFolder | undefined;
  /** Takes the command's output. The caller finishes it. */
  readonly capture: Pick<Capture, "take" | "note">;
  /** Infinity, the default, for none. */
  readonly timeoutMs?: number | undefined;
  /** Aborting ends the command and every process that it started. */
  readonly signal?: AbortSignal | undefined;
  /** Gets the process after its start. */
  readonly onStart?: ((bash: Pick<BashProcess, "pid" | "hasBegun">) => void) | undefined;
  /** The time for cleaning up between SIGTERM and SIGKILL. */
  readonly graceMs?: number | undefined;
}

export interface BashRun extends BashExit {
  readonly status: "complete" | "error" | "cancelled" | "timeout";
  /** False where bash ended before the command: in the profile, or in a program in front of bash. */
  readonly hasBegun: boolean;
  readonly durationMs: number;
  /** Background processes that the command left running; null when there are none. */
  readonly leftRunning: LeftRunning | null;
  /** How many background processes ended with the command, where it has a sandbox that ends them. */
  readonly endedWithIt: number;
}

export interface LeftRunning {
  /** The current processes; nothing to end once the list is empty. */
  pids(): readonly number[];
  end(): Promise<void>;
}

const usualGraceMs = 2000;
const longestTimer = 2 ** 31 - 1;

/**
 * Runs a command as the user's shell would. The command ends with bash: its background processes continue, unless the launcher ends
 * them, and their later output is dropped.
 */
export async function runBash(command: string, options: RunBashOptions): Promise<BashRun> {
  const { capture, timeoutMs = Number.POSITIVE_INFINITY, signal, graceMs = usualGraceMs } = options;
  if (signal?.aborted) return { ...notStarted, status: "cancelled", leftRunning: null };
  const began = performance.now();
  const decoder = new TextDecoder();
  const output = await OutputPipe.open((chunk) => {
    const pressure = capture.take(printed(decoder.decode(chunk, { stream: true })));
    if (pressure !== undefined) holdUntil(pressure, output);
  });
  let bash: BashProcess | undefined;
  try {
    await using file = await commandFile(command, options.shared);
    const composed = composeBash(command, { ...options, commandFile: file.path, tellsBeginning: true });
    bash = await startBash(composed, output, options);
    options.onStart?.(bash);
    using deadline = deadlineAfter(Math.min(timeoutMs, longestTimer), signal);
    const stopped = await endsOrIsStopped(bash, deadline);
    if (stopped !== null) await endSession(bash.pid, graceMs);
    const exit = await bash.exited;
    await output.drain();
    await capture.take(printed(decoder.decode()));
    if (stopped === "timeout") await capture.note(bash.hasBegun ? timedOut(timeoutMs) : notBegun(timeoutMs, options));
    const durationMs = performance.now() - began;
    const mayLeave = stopped === null && !options.endsBackground;
    const leftRunning = mayLeave ? stillThere(bash, output, graceMs) : null;
    if (leftRunning === null) letGo(bash, output);
    const { hasBegun, endedWithIt } = bash;
    return { ...exit, status: stopped ?? verdict(exit), hasBegun, durationMs, leftRunning, endedWithIt };
  } catch (error) {
    if (bash !== undefined) {
      await endSession(bash.pid, graceMs);
      bash.dismissWatcher();
    }
    output.close();
    throw error;
  }
}

const notStarted = { exitCode: null, signal: null, hasBegun: false, durationMs: 0, endedWithIt: 0 };

/** The documented words. */
function timedOut(timeoutMs: number): string {
  return `Command timed out after ${sayTimeLimit(timeoutMs)}`;
}

/** The command is not to blame. */
function notBegun(timeoutMs: number, options: ComposeBashOptions): string {
  return `${timedOut(timeoutMs)}: bash was still reading ${readBefore(options)}, and the command had not begun. Make the profile faster, or give more time.`;
}

/** The files that bash reads before the command. */
export function readBefore({ snapshot }: Pick<ComposeBashOptions, "snapshot">): string {
  return snapshot === null ? "the login profile (~/.bash_profile, ~/.profile)" : snapshot;
}

/** Bytes that are not UTF-8 become replacement characters. Both streams are merged in order. */
function printed(text: string) {
  return { type: "stream", name: "stdout", text } as const;
}

/** A command that prints faster than the artifact can be written has to wait. */
function holdUntil(pressure: Promise<unknown>, output: OutputPipe): void {
  output.hold(true);
  void pressure.finally(() => output.hold(false));
}

/** Why it was stopped; null when it ended by itself. */
async function endsOrIsStopped({ exited }: BashProcess, deadline: Deadline): Promise<"timeout" | "cancelled" | null> {
  const { signal } = deadline;
  let stop = (): void => {};
  const stopped = new Promise<"timeout" | "cancelled">((resolve) => {
    stop = () => resolve(deadline.hasPassed ? "timeout" : "cancelled");
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([exited.then(() => null), stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function stillThere(bash: BashProcess, output: OutputPipe, graceMs: number): LeftRunning | null {
  const pids = () => membersWithoutLeader(bash.pid);
  if (pids().length === 0) return null;
  return {
    pids,
    async end() {
      if (pids().length > 0) await endSession(bash.pid, graceMs);
      letGo(bash, output);
    },
  };
}

/** For a session whose leader has ended: a leader with that number now belongs to a later session. */
function membersWithoutLeader(leader: number): readonly number[] {
  const members = sessionMembers(leader);
  return members.includes(leader) ? [] : members;
}

function letGo(bash: BashProcess, output: OutputPipe): void {
  bash.dismissWatcher();
  output.close();
}

function verdict({ exitCode }: BashExit): "complete" | "error" {
  return exitCode === 0 ? "complete" : "error";
}
