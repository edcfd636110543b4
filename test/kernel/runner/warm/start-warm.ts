import type { Kernel, StartOptions } from "../../../../src/kernel/kernel.ts";
import type { Preloading } from "../../../../src/kernel/runner/warm/warm-interpreter.ts";
import { WarmInterpreters, type WarmOptions } from "../../../../src/kernel/runner/warm/warm-interpreters.ts";
import type { StreamKind } from "../../../../src/kernel/runner/wire/open-streams.ts";
import { afterAll } from "../../harness.ts";
import { startRunner, temporaryFolder } from "../start-runner.ts";

/** Without any module in it, unlike the system's folder for temporary files. */
const ownFolder = temporaryFolder();

type Choices = Partial<Omit<StartOptions, "interpreter">>;

/** Starts kernels that were really forked from a warm interpreter, or fails. */
export class WarmStarter implements AsyncDisposable {
  readonly warm: WarmInterpreters;
  readonly #python: string;

  readonly #streams: StreamKind | undefined;

  constructor(python: string, options: WarmOptions = {}, streams?: StreamKind) {
    this.#python = python;
    this.#streams = streams;
    this.warm = new WarmInterpreters({ firstDelayMs: 0, ...options });
  }

  /** The first kernel is spawned, and is the reason for a warm interpreter. */
  async start(choices: Choices = {}): Promise<Kernel> {
    const first = await this.try(choices);
    if (first.isForked) return first.kernel;
    await first.kernel.close();
    await this.warm.settled();
    const second = await this.try(choices);
    if (second.isForked) return second.kernel;
    await second.kernel.close();
    throw new Error("The kernel was not forked.");
  }

  /** Whichever way it goes. */
  async try(choices: Choices = {}): Promise<{ readonly kernel: Kernel; readonly isForked: boolean }> {
    const stages: string[] = [];
    const own = { warm: this.warm, ...(this.#streams && { streams: this.#streams }) };
    const onStage = (stage: string): void => void stages.push(stage);
    const kernel = await startRunner(this.#python, { cwd: ownFolder, ...choices, ...own, onStage });
    return { kernel, isForked: stages.includes("process forked") && !stages.includes("process created") };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.warm.close();
  }
}

/** For a whole file. */
export function warmStarter(python: string, options: WarmOptions = {}, streams?: StreamKind): WarmStarter {
  const starter = new WarmStarter(python, options, streams);
  afterAll(() => starter.warm.close());
  return starter;
}

export function preloading(...modules: string[]): Preloading & { readonly refusals: Map<string, string> } {
  const refusals = new Map<string, string>();
  return {
    refusals,
    wanted: async () => modules,
    refused: (_cwd, { module, why }) => void refusals.set(module, why),
  };
}
