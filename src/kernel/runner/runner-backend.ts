import { signalGroup } from "../../support/process/process-group.ts";
import { KernelError } from "../errors.ts";
import type { Kernel, KernelBackend, StartOptions } from "../kernel.ts";
import type { Connect } from "./checkpoints/runner-checkpoint.ts";
import { RunnerKernel } from "./runner-kernel.ts";
import { Handshake, type RunnerProcess, spawnRunner } from "./spawn-runner.ts";
import { decodeFrame, type Hello, protocolVersion } from "./wire/frames.ts";
import { openStreams, type StreamKind } from "./wire/open-streams.ts";
import { tap } from "./wire/tap.ts";

const defaultGraceMs = 5000;

interface RunnerBackendOptions {
  /** For systems, and tests, where the best way does not work. */
  readonly streams?: StreamKind | undefined;
  /** Where kernels are forked from; without it, each starts an interpreter. */
  readonly warm?: KernelForks | undefined;
}

/** Where kernels are forked from. */
export interface KernelForks {
  /** A runner for these options that will say hello; null where it has to be spawned. */
  take(options: StartOptions): Promise<RunnerProcess | null>;
  /** A kernel with these options was spawned: another one may be wanted. */
  spawned(options: StartOptions): void;
}

/** Kernels that need nothing but Python. */
export function createRunnerBackend(options: RunnerBackendOptions = {}): KernelBackend {
  const prefer = options.streams ?? (process.platform === "linux" ? "pipes" : "fifos");
  return {
    name: "runner",
    async probe({ interpreter, env, signal }) {
      try {
        await using kernel = await spawnKernel({ interpreter, env, signal, cwd: "/" }, prefer);
        await kernel.ping(signal);
        return { available: true };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { available: false, reason, remedy: "Create an environment with: python3 -m venv .venv" };
      }
    },
    async start(startOptions) {
      const { warm } = options;
      const forked = warm && (await forkKernel(warm, startOptions, prefer));
      if (forked) return forked;
      const kernel = await spawnKernel(startOptions, prefer);
      warm?.spawned(startOptions);
      return kernel;
    },
  };
}

/** Null where forking does not work, for any reason: a spawned kernel then works, or reports the reason. */
async function forkKernel(warm: KernelForks, options: StartOptions, prefer: StreamKind): Promise<Kernel | null> {
  try {
    const runner = await warm.take(options);
    if (runner === null) return null;
    options.onStage?.("process forked");
    return await shakeHands(runner, options, prefer);
  } catch {
    return null;
  }
}

async function spawnKernel(options: StartOptions, prefer: StreamKind): Promise<Kernel> {
  if (process.platform === "win32") {
    throw new KernelError("start-failed", "The embedded runner needs Linux or macOS. On Windows, use WSL.");
  }
  const runner = await spawnRunner(options);
  options.onStage?.("process created");
  return shakeHands(runner, options, prefer);
}

/** From a process to a kernel. When it fails, the process is gone. */
async function shakeHands(runner: RunnerProcess, options: StartOptions, prefer: StreamKind): Promise<Kernel> {
  if (options.trace) tap(runner, options.trace);
  try {
    const handshake = new Handshake(runner);
    const hello = decodeFrame<Hello>(await handshake.nextLine(options.signal));
    options.onStage?.(`Python ${hello.python} said hello`);
    if (hello.protocol !== protocolVersion) {
      const versions = `protocol ${hello.protocol}, this Granary speaks ${protocolVersion}`;
      throw new KernelError(
        "protocol",
        `The runner speaks ${versions}. Install Granary again: its parts do not match.`,
      );
    }
    let kernel: RunnerKernel | undefined;
    const streams = await openStreams(runner, hello, handshake, (name, chunk) => kernel?.wire.takeChunk(name, chunk), {
      prefer,
      signal: options.signal,
    });
    handshake.finish();
    const {
      interruptGraceMs: graceMs = defaultGraceMs,
      onHostCall,
      onImports,
      whyNoCopies,
      whyFailed,
      sandbox,
    } = options;
    const connect: Connect = async (another, { signal, onHostCall }) => {
      const restored = await shakeHands(another, { ...options, signal, onHostCall }, prefer);
      options.onRestored?.(restored);
      return restored;
    };
    kernel = new RunnerKernel(runner, hello, {
      graceMs,
      onHostCall,
      onImports,
      connect,
      whyNoCopies,
      whyFailed,
      sandbox,
    });
    kernel.wire.useStreams(streams);
    // Not before: where a start fails and is repeated, the second one would get the rest only.
    runner.feedStdin?.();
    return kernel;
  } catch (error) {
    signalGroup(runner.pid, "SIGKILL");
    await runner.exited;
    runner.close();
    throw error;
  }
}
