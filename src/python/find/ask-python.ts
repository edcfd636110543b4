import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { packageFile } from "../../support/files/package-file.ts";
import { withoutForeignDescriptors } from "../../support/process/descriptors.ts";
import { isShortage } from "../../support/process/exhaustion.ts";
import { newKernelMark, watchForOurEnd, withMark } from "../../support/process/kernel-mark.ts";
import { signalGroup, started } from "../../support/process/process-group.ts";
import { decodeAnswer, type ProbeAnswer } from "./probe-answer.ts";

const probe = packageFile("python/granary_probe.py");

/** No answer is longer; a program that prints more is not answering. */
const longestAnswer = 256 * 1024;

interface AskOptions {
  /** The command to put in front of Python. */
  readonly launcher?: readonly string[] | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The reason must be an Error; its message becomes the problem. */
  readonly signal: AbortSignal;
}

export type Reply = ProbeAnswer | { readonly problem: string; readonly shortage?: Error | undefined };

/**
 * Starts a Python to ask for its facts. Never rejects: any failure is a problem of that Python, or a shortage on
 * this machine. The process, and all that a shim started beside it, has ended when the reply arrives or the signal
 * fires.
 */
export async function askPython(executable: string, options: AskOptions): Promise<Reply> {
  try {
    const { cwd, env, signal, launcher = [] } = options;
    signal.throwIfAborted();
    // -B: leave no compiled files in that Python's folders.
    const marked = withMark(env, newKernelMark());
    // -s: in a sandbox, an earlier cell may have written the packages of the user.
    const flags = launcher.length === 0 ? ["-B"] : ["-B", "-s"];
    const [program = executable, ...args] = [...launcher, executable, ...flags, probe];
    const child = await started(() =>
      withoutForeignDescriptors(
        ["ignore", "pipe", "pipe"],
        (stdio) =>
          spawn(program, args, { cwd, env: marked, detached: true, stdio }) as ChildProcessByStdio<
            null,
            Readable,
            Readable
          >,
      ),
    );
    // A Python that hangs must not outlive us.
    const stopWatching = watchForOurEnd();
    return await replyOf(child, signal).finally(stopWatching);
  } catch (error) {
    const { message } = error as Error;
    if (options.signal.aborted) return { problem: message };
    const shortage = isShortage(error) ? (error as Error) : undefined;
    return { problem: `cannot be started (${message})`, shortage };
  }
}

function replyOf(child: ChildProcessByStdio<null, Readable, Readable>, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve) => {
    let isOver = false;
    const endAll = (): void => {
      // After that, another process may have the number.
      if (!isOver && child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
    };
    const settle = (reply: Reply): void => {
      signal.removeEventListener("abort", onAbort);
      endAll();
      resolve(reply);
    };
    const onAbort = (): void => settle({ problem: signal.reason.message });
    signal.addEventListener("abort", onAbort);

    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const answer = decodeAnswer(stdout);
      // Do not wait: Python's clean-up after the answer has no information.
      if (answer !== null) settle(answer);
      else if (stdout.length > longestAnswer) settle(noAnswer);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < longestAnswer) stderr += text;
    });
    child.on("exit", () => {
      // A process that a shim left behind would keep the pipes open.
      endAll();
      isOver = true;
    });
    child.on("close", (code, killedBy) => settle(failure(code, killedBy, stderr)));
    if (signal.aborted) onAbort();
  });
}

const noAnswer: Reply = { problem: "does not answer as Python does" };

function failure(code: number | null, killedBy: NodeJS.Signals | null, stderr: string): Reply {
  const complaint = complaintIn(stderr);
  if (killedBy !== null) return { problem: `crashes with ${killedBy}${complaint}` };
  return code === 0 ? noAnswer : { problem: `does not start Python${complaint}` };
}

/** The line with the reason, from a shim's message or Python's traceback. */
function complaintIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const telling = lines.find((line) => /^(Fatal Python error|[\w.]*(Error|Exception)):/.test(line));
  const line = telling ?? lines.find((line) => line !== "");
  return line === undefined ? "" : ` (${line.slice(0, 200)})`;
}
