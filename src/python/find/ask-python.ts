import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { packageFile } from "../../support/files/package-file.ts";
import { isShortage } from "../../support/process/exhaustion.ts";
import { signalGroup, started } from "../../support/process/process-group.ts";
import { decodeAnswer, type ProbeAnswer } from "./probe-answer.ts";

const probe = packageFile("python/granary_probe.py");

/** More than any answer has; what prints more than this is not answering. */
const longestAnswer = 256 * 1024;

interface AskOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its reason is an Error whose message is then the problem. */
  readonly signal: AbortSignal;
}

export type Reply = ProbeAnswer | { readonly problem: string; readonly shortage?: Error | undefined };

/**
 * Starts a Python to ask what it is. Never rejects: whatever goes wrong is a problem of that Python, or a shortage on
 * this machine. The process, and whatever a shim has started beside it, is gone when the reply is there or the signal
 * fires.
 */
export async function askPython(executable: string, options: AskOptions): Promise<Reply> {
  try {
    const { cwd, env, signal } = options;
    signal.throwIfAborted();
    // -B: a question leaves nothing behind in the folders of the Python that was asked.
    const child = await started(() =>
      spawn(executable, ["-B", probe], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] }),
    );
    return await replyOf(child, signal);
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
      // Afterwards the number may be that of somebody else's process.
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
      // Not waited for: how Python tidies up after its answer tells nothing.
      if (answer !== null) settle(answer);
      else if (stdout.length > longestAnswer) settle(noAnswer);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < longestAnswer) stderr += text;
    });
    child.on("exit", () => {
      // A process left behind by a shim would keep the pipes open.
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

/** The line that says what was wrong, out of a shim's complaint or Python's traceback. */
function complaintIn(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  const telling = lines.find((line) => /^(Fatal Python error|[\w.]*(Error|Exception)):/.test(line));
  const line = telling ?? lines.find((line) => line !== "");
  return line === undefined ? "" : ` (${line.slice(0, 200)})`;
}
