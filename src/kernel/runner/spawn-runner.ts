import { type IOType, type StdioOptions, spawn } from "node:child_process";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { deferred } from "../../support/deferred.ts";
import { packageFile } from "../../support/files/package-file.ts";
import { withoutForeignDescriptors } from "../../support/process/descriptors.ts";
import { newKernelMark, watchLastingHost, withMark } from "../../support/process/kernel-mark.ts";
import { endsWithin, signalGroup, started } from "../../support/process/process-group.ts";
import { KernelError } from "../errors.ts";
import type { StartOptions } from "../kernel.ts";
import { missingFolder } from "../missing-folder.ts";
import { exitBehindLauncher } from "./python-process.ts";
import { copyStandardInput, standardInput } from "./standard-input.ts";
import { LineSplitter } from "./wire/line-splitter.ts";

/** The runner's process and its private sockets. It knows nothing of what they carry. */
export interface RunnerProcess {
  readonly pid: number;
  /** Python itself, where a launcher is in front of it; as this process numbers it. */
  pythonPid: number;
  /** True behind a launcher: Python may be limited in what it reads, and must not make this process read for it. */
  readonly isLimited?: boolean;
  /** Its stdout and stderr as Node made them; null for one that was forked. */
  readonly inherited: { readonly stdout: Socket; readonly stderr: Socket } | null;
  /** Begins to copy a file as its standard input, where it must not have the file itself. */
  readonly feedStdin?: (() => void) | undefined;
  readonly frames: Socket;
  readonly control: Socket;
  readonly interrupts: Socket;
  readonly exited: Promise<RunnerExit>;
  /** The mark in the environment of its descendants; null where the system does not show environments. */
  readonly mark: string | null;
  /** Lets go of all sockets, the lifeline among them. */
  close(): void;
}

/** Both null where the exit status is unknown. */
export interface RunnerExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

const lastWordsMs = 100;
const script = packageFile("python/granary_runner/__main__.py");

export async function spawnRunner(options: StartOptions): Promise<RunnerProcess> {
  const mark = newKernelMark();
  const [program = options.interpreter, ...args] = [...(options.launcher ?? []), options.interpreter, script];
  const start = (stdio: StdioOptions) =>
    spawn(program, args, {
      cwd: options.cwd,
      env: withMark(options.env, mark),
      detached: true, // a process group of its own, so that all of it can be signalled
      stdio,
    });
  const source = options.inheritsStdin ? standardInput() : null;
  const copiesStdin = options.launcher !== undefined && source !== null && source !== "anonymous";
  const stdin = copiesStdin ? "pipe" : options.inheritsStdin ? "inherit" : "ignore";
  const stdio: IOType[] = [stdin, ...Array<IOType>(6).fill("pipe")];
  // A sandbox cannot close what is open already.
  const starting =
    options.launcher === undefined
      ? started(() => start(stdio))
      : withoutForeignDescriptors(stdio, (all) => started(() => start(all)));
  const child = await starting.catch((cause) => {
    throw failedSpawn(cause, options);
  });
  watchLastingHost();
  const exited = deferred<RunnerExit>();
  child.once("exit", (exitCode, signal) => {
    exited.resolve(options.launcher ? exitBehindLauncher({ exitCode, signal }) : { exitCode, signal });
  });
  // After the process has ended, writing fails; its exit tells all there is to tell.
  for (const stream of child.stdio) stream?.on("error", () => undefined);
  const [, stdout, stderr, frames, control, interrupts] = child.stdio as unknown as Socket[];
  const close = (): void => {
    for (const stream of child.stdio) stream?.destroy();
  };
  return {
    pid: child.pid as number,
    pythonPid: child.pid as number,
    isLimited: options.launcher !== undefined,
    inherited: { stdout, stderr },
    feedStdin: copiesStdin ? () => copyStandardInput(source, child.stdin as Writable) : undefined,
    frames,
    control,
    interrupts,
    exited: exited.promise,
    mark,
    close,
  } as RunnerProcess;
}

function failedSpawn(cause: NodeJS.ErrnoException, options: StartOptions): KernelError {
  const noFolder = missingFolder(options.cwd, cause);
  if (noFolder !== null) return noFolder;
  const details = { interpreter: options.interpreter, cwd: options.cwd };
  return new KernelError("start-failed", whyNotSpawned(cause, options.interpreter), { details, cause });
}

function whyNotSpawned({ code, message }: NodeJS.ErrnoException, interpreter: string): string {
  const check = "Check which interpreter is meant, or create one with: python3 -m venv .venv";
  if (code === "ENOENT") return `Python could not be started: ${interpreter} does not exist. ${check}`;
  if (code === "EAGAIN")
    return "Python could not be started: this user may have no more processes. End some, or raise the limit with `ulimit -u`.";
  return `Python could not be started from ${interpreter}: ${message}. ${check}`;
}

/** Waits for the runner's answers during its start, and ends it when they do not come. */
export class Handshake {
  readonly #runner: RunnerProcess;
  readonly #lines: string[] = [];
  #arrived = deferred<void>();
  #stderr = "";
  #splitter = new LineSplitter((line) => {
    this.#lines.push(line);
    this.#arrived.resolve();
  });
  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#splitter.push(chunk);
    } catch {
      signalGroup(this.#runner.pid, "SIGKILL");
    }
  };
  readonly #onStderr = (chunk: Buffer): void => {
    this.#stderr += chunk.toString();
  };

  constructor(runner: RunnerProcess) {
    this.#runner = runner;
    runner.frames.on("data", this.#onData);
    runner.inherited?.stderr.on("data", this.#onStderr);
  }

  async nextLine(signal: AbortSignal | undefined): Promise<string> {
    const aborted = deferred<"aborted">();
    const onAbort = (): void => aborted.resolve("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      while (this.#lines.length === 0) {
        if (signal?.aborted) throw await this.#fail("start-timeout", "Python did not start in time.");
        this.#arrived = deferred();
        const first = await Promise.race([
          this.#arrived.promise,
          this.#runner.exited.then(() => "exited" as const),
          aborted.promise,
        ]);
        if (first === "exited" && this.#lines.length === 0) {
          throw await this.#fail("start-failed", "Python ended before it was ready.");
        }
      }
      return this.#lines.shift() as string;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Hands the listeners over to the wire. */
  finish(): void {
    this.#runner.frames.off("data", this.#onData);
    this.#runner.inherited?.stderr.off("data", this.#onStderr);
  }

  async #fail(code: "start-failed" | "start-timeout", what: string): Promise<KernelError> {
    signalGroup(this.#runner.pid, "SIGKILL");
    const exit = await this.#runner.exited;
    const { inherited } = this.#runner;
    if (inherited) await endsWithin(new Promise((resolve) => inherited.stderr.once("end", resolve)), lastWordsMs);
    const said = this.#stderr.trim();
    return new KernelError(code, said === "" ? what : `${what} It said: ${said}`, {
      details: { ...exit, stderr: said },
    });
  }
}
