import { signalGroup } from "../../support/process/process-group.ts";
import { KernelError } from "../errors.ts";
import type { Kernel, KernelBackend, StartOptions } from "../kernel.ts";
import { RunnerKernel } from "./runner-kernel.ts";
import { Handshake, spawnRunner } from "./spawn-runner.ts";
import { decodeFrame, type Hello, protocolVersion } from "./wire/frames.ts";
import { openStreams, type StreamKind } from "./wire/open-streams.ts";
import { tap } from "./wire/tap.ts";

const defaultGraceMs = 5000;

/** Kernels that need nothing but Python. `streams` is for systems, and tests, where the best way does not work. */
export function createRunnerBackend(options: { readonly streams?: StreamKind } = {}): KernelBackend {
  const prefer = options.streams ?? (process.platform === "linux" ? "pipes" : "fifos");
  return {
    name: "runner",
    async probe({ interpreter, env, signal }) {
      try {
        await using kernel = await start({ interpreter, env, signal, cwd: "/" }, prefer);
        await kernel.ping(signal);
        return { available: true };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return { available: false, reason, remedy: "Create an environment with: python3 -m venv .venv" };
      }
    },
    start: (startOptions) => start(startOptions, prefer),
  };
}

async function start(options: StartOptions, prefer: StreamKind): Promise<Kernel> {
  if (process.platform === "win32") {
    throw new KernelError("start-failed", "The embedded runner needs Linux or macOS. On Windows, use WSL.");
  }
  const runner = await spawnRunner(options);
  options.onStage?.("process created");
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
    const { interruptGraceMs: graceMs = defaultGraceMs, onHostCall } = options;
    kernel = new RunnerKernel(runner, hello, { graceMs, onHostCall });
    kernel.wire.useStreams(streams);
    return kernel;
  } catch (error) {
    signalGroup(runner.pid, "SIGKILL");
    await runner.exited;
    runner.close();
    throw error;
  }
}
