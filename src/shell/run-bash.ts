import type { Capture } from "../output/capture.ts";
import { type Deadline, deadlineAfter } from "../support/deadline.ts";
import { type ComposeBashOptions, composeBash } from "./compose-bash.ts";
import { OutputPipe } from "./output-pipe.ts";
import { endSession, sessionMembers } from "./process-session.ts";
import { type BashExit, type BashProcess, type StartBashOptions, startBash } from "./start-bash.ts";

export interface RunBashOptions extends ComposeBashOptions, StartBashOptions {
  /** Takes what the command puts out. Whoever made it finishes it. */
  readonly capture: Pick<Capture, "take" | "note">;
  /** Infinity, the default, for none. */
  readonly timeoutMs?: number | undefined;
  /** Aborting ends the command with everything that it has started. */
  readonly signal?: AbortSignal | undefined;
  /** Told the number of the process when it has started. */
  readonly onStart?: ((pid: number) => void) | undefined;
  /** How long what is to be ended may take to tidy up, before it is killed. */
  readonly graceMs?: number | undefined;
}

export interface BashRun extends BashExit {
  readonly status: "complete" | "error" | "cancelled" | "timeout";
  readonly durationMs: number;
  /** What the command has left in the background, and goes on; null when there is nothing. */
  readonly leftRunning: LeftRunning | null;
}

export interface LeftRunning {
  /** Those that are there now; as soon as nobody is, there is nothing to end. */
  pids(): readonly number[];
  end(): Promise<void>;
}

const usualGraceMs = 2000;
const longestTimer = 2 ** 31 - 1;

/**
 * Runs a command as the user's shell would. It is over when bash is: what it has left in the background goes on, and
 * what that prints from then on is dropped.
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
    bash = await startBash(composeBash(command, options), output, options);
    options.onStart?.(bash.pid);
    using deadline = deadlineAfter(Math.min(timeoutMs, longestTimer), signal);
    const stopped = await endsOrIsStopped(bash, deadline);
    if (stopped !== null) await endSession(bash.pid, graceMs);
    const exit = await bash.exited;
    await output.drain();
    await capture.take(printed(decoder.decode()));
    if (stopped === "timeout") await capture.note(timedOut(timeoutMs));
    const durationMs = performance.now() - began;
    const leftRunning = stopped === null ? stillThere(bash, output, graceMs) : null;
    if (leftRunning === null) letGo(bash, output);
    return { ...exit, status: stopped ?? verdict(exit), durationMs, leftRunning };
  } catch (error) {
    if (bash !== undefined) {
      await endSession(bash.pid, graceMs);
      bash.dismissWatcher();
    }
    output.close();
    throw error;
  }
}

const notStarted = { exitCode: null, signal: null, durationMs: 0 };

/** The documented words. */
function timedOut(timeoutMs: number): string {
  return `Command timed out after ${timeoutMs / 1000} seconds`;
}

/** What is no UTF-8 has become replacement characters. Both streams are one, which has their order. */
function printed(text: string) {
  return { type: "stream", name: "stdout", text } as const;
}

/** A command that prints faster than the artifact can be written has to wait. */
function holdUntil(pressure: Promise<unknown>, output: OutputPipe): void {
  output.hold(true);
  void pressure.finally(() => output.hold(false));
}

/** What stopped it; null when it has ended by itself. */
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

/** Of a session whose leader has ended: where there is one, it is a later session that was given the same number. */
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
