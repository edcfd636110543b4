import { deferred } from "../../support/deferred.ts";
import { KernelError } from "../errors.ts";
import type { Kernel, KernelBackend, StartOptions } from "../kernel.ts";
import { HandedFiles } from "./handed-files.ts";
import { teachHouseRules } from "./house-rules.ts";
import { introduction } from "./introduction.ts";
import { JupyterKernel } from "./jupyter-kernel.ts";
import type { KernelProcess, ProcessExit } from "./kernel-process.ts";
import type { JupyterChannel } from "./messages/channel.ts";
import { Composer } from "./messages/compose.ts";
import { traceChannel } from "./messages/trace-channel.ts";

export interface OpenKernelParts {
  readonly backend: KernelBackend["name"];
  readonly id: string;
  /** The session of this client, for the whole conversation. */
  readonly session: string;
  readonly channel: JupyterChannel;
  readonly process: KernelProcess;
  /** The interpreter, where it is known; else a name for people. */
  readonly executable: string;
  /** Whether it was used before, so that it is left as it is. */
  readonly resumed?: boolean;
}

const shownCharacters = 2000;

/** The error of a kernel that ended before it was ready. */
export function endedEarly({ reason, exitCode, signal }: ProcessExit, said = ""): KernelError {
  const how = signal ?? (exitCode === null ? null : `exit code ${exitCode}`);
  const words = said.trim().slice(-shownCharacters);
  const sentence = `The kernel ended before it was ready${how === null ? "" : ` (${how})`}.`;
  return new KernelError("start-failed", reason ?? (words === "" ? sentence : `${sentence} It said: ${words}`));
}

type OpenOptions = Pick<StartOptions, "signal" | "interruptGraceMs" | "trace" | "onStage">;

const defaultGraceMs = 5000;

/** Introduces Granary to a kernel that has been started or found. On failure the caller ends what it has started. */
export async function openJupyterKernel(parts: OpenKernelParts, options: OpenOptions): Promise<Kernel> {
  const { backend, id, session, process, executable, resumed = process.attached } = parts;
  const channel = options.trace ? traceChannel(parts.channel, options.trace) : parts.channel;
  const composer = new Composer(session);
  const ended = deferred<never>();
  ended.promise.catch(() => undefined);
  void process.exited.then((exit) => ended.reject(endedEarly(exit, process.said)));
  const introduced = await introduction(channel, composer, { signal: options.signal, failed: ended.promise });
  const { language, version, implementation, session: kernelSession } = introduced;
  options.onStage?.(`kernel for ${language} ${version} answered`);
  const info = { backend, language, version, executable, pid: process.pid, resumed };
  const graceMs = options.interruptGraceMs ?? defaultGraceMs;
  const isOursToTeach = implementation === "ipython" && !resumed;
  const handed = isOursToTeach ? HandedFiles.make() : null;
  const kernel = new JupyterKernel({ id, info, composer, channel, process, kernelSession, graceMs, handed });
  if (!isOursToTeach) return kernel;
  try {
    await teachHouseRules(kernel, { session, handed, signal: options.signal });
  } catch (error) {
    handed?.close();
    throw error;
  }
  return kernel;
}
