import { spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { deferred } from "../../support/deferred.ts";
import { hasDescriptors } from "../../support/process/descriptors.ts";
import { endMarked, newKernelMark, watchForOurEnd, withMark } from "../../support/process/kernel-mark.ts";
import { endGroup, endsWithin, signalGroup, started } from "../../support/process/process-group.ts";
import { startWatchingShell } from "../../support/process/watching-shell.ts";
import { KernelError } from "../errors.ts";
import type { StreamName } from "../events.ts";
import type { KernelProcess, ProcessExit } from "../jupyter/kernel-process.ts";
import { missingFolder } from "../missing-folder.ts";
import { stoppedProcess } from "../trouble.ts";
import type { KernelCommand } from "./kernel-command.ts";

const shutdownGraceMs = 2000;
const terminateGraceMs = 1000;
const lastWordsMs = 200;
const keptCharacters = 16 * 1024;

export interface SpawnedKernel extends Omit<KernelProcess, "ping"> {
  readonly pid: number;
  /** Output on both streams; the reason, when it does not start. */
  readonly said: string;
}

/** A kernel's process, in its own group, so that all of it can be signalled. */
export async function spawnKernel(
  { file, args, env }: KernelCommand,
  options: {
    readonly cwd: string;
    readonly interruptMode: "signal" | "message";
    /** Whether the kernel publishes the output on its descriptors itself, as ipykernel does. */
    readonly capturesOutput: boolean;
    readonly inheritsStdin?: boolean | undefined;
  },
): Promise<SpawnedKernel> {
  const { cwd, interruptMode, capturesOutput } = options;
  const stdin = options.inheritsStdin ? "inherit" : "ignore";
  // Pipes of its own: a kernel prints a banner, and its children may hold them open longer than it lives.
  const mark = newKernelMark();
  const marked = withMark(env, mark);
  const start = () => spawn(file, args, { cwd, env: marked, detached: true, stdio: [stdin, "pipe", "pipe"] });
  const child = await started(start).catch((cause: NodeJS.ErrnoException) => {
    const noFolder = missingFolder(cwd, cause);
    if (noFolder !== null) throw noFolder;
    const why = cause.code === "ENOENT" ? `${file} does not exist` : cause.message;
    const sentence = `The kernel could not be started: ${why}. Check the interpreter and the name of the kernel.`;
    throw new KernelError("start-failed", sentence, { details: { file, cwd }, cause });
  });
  const ended = deferred<ProcessExit>();
  child.once("exit", (exitCode, signal) => ended.resolve({ exitCode, signal }));
  const pid = child.pid as number;
  const { untie } = tieToUs(pid);
  const stopWatching = watchForOurEnd();
  let said = "";
  let listener: ((name: StreamName, text: string) => void) | undefined;
  const closed = ["stdout", "stderr"].map((name) => {
    const stream = child[name as StreamName];
    const decoder = new StringDecoder("utf8");
    stream.on("data", (chunk: Buffer) => {
      const text = decoder.write(chunk);
      said = (said + text).slice(-keptCharacters);
      if (!capturesOutput) listener?.(name as StreamName, text);
    });
    return new Promise<void>((resolve) => stream.once("close", resolve).once("error", () => resolve()));
  });
  const exited = ended.promise.then(async (exit) => {
    // Children that the kernel left behind go with it.
    signalGroup(pid, "SIGKILL");
    untie();
    stopWatching();
    await endMarked(mark);
    await endsWithin(Promise.all(closed), lastWordsMs);
    child.stdout.destroy();
    child.stderr.destroy();
    return exit;
  });
  const terminate = (): Promise<void> => endGroup(pid, ended.promise, terminateGraceMs);
  return {
    pid,
    exited,
    attached: false,
    interrupt: interruptMode === "message" ? undefined : async () => void signalGroup(pid, "SIGINT"),
    terminate,
    findTrouble: () => stoppedProcess(pid),
    async close(requestShutdown) {
      requestShutdown();
      if (!(await endsWithin(ended.promise, shutdownGraceMs))) await terminate();
    },
    onOutput(listen) {
      listener = listen;
    },
    get said() {
      return said;
    },
  };
}

/**
 * Ends a process group when this process ends, in any way. A kernel checks its parent only once a second, not while C code
 * runs, and leaves its children behind.
 */
function tieToUs(group: number): { readonly untie: () => void } {
  // Without it, ipykernel's own check of its parent remains.
  if (!hasDescriptors()) return { untie: () => {} };
  const toWatcher = startWatchingShell(`read _ || kill -s KILL -- -${group}`);
  return { untie: () => void toWatcher?.end("over\n") };
}
