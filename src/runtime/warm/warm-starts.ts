import type { StartOptions } from "../../kernel/kernel.ts";
import type { KernelForks } from "../../kernel/runner/runner-backend.ts";
import type { RunnerProcess } from "../../kernel/runner/spawn-runner.ts";
import type { WarmInterpreter } from "../../kernel/runner/warm/warm-interpreter.ts";
import type { WarmInterpreters } from "../../kernel/runner/warm/warm-interpreters.ts";
import type { Settings } from "../../settings/settings.ts";
import { hasDescriptors } from "../../support/process/descriptors.ts";
import { variablesOfSessions } from "../kernel/start-environment.ts";
import { isHarmless } from "./harmless-modules.ts";
import type { PreloadMemory } from "./preload-memory.ts";

export interface WarmStartsOptions {
  readonly home: string;
  readonly python: Pick<Settings["python"], "warm" | "preload">;
  /** Whether the host expects one kernel: then only a second kernel is a reason for a warm interpreter. */
  readonly startsOneKernel?: boolean | undefined;
  readonly isMemoryShort: () => boolean;
}

/** A host that lives for so long after its first kernel may well need another. */
const longRunMs = 1000;
/** A warm interpreter and its spare kernel take seven descriptors; the sessions come first. */
const plenty = 40;
const onlyListed = "imported ahead only if python.preload lists it";

/** Why kernels are not forked here; null where they are. */
export function whyNotWarm({ warm }: Pick<Settings["python"], "warm">, platform = process.platform): string | null {
  if (warm === false) return "python.warm is off";
  if (platform === "linux" || (warm === true && platform !== "win32")) return null;
  return platform === "win32" ? "Windows cannot fork" : `it is measured on Linux only; python.warm turns it on`;
}

/** The warm interpreters of a runtime. Nothing of them is loaded in a short run, which has only one kernel. */
export class WarmStarts implements KernelForks {
  readonly #options: WarmStartsOptions;
  readonly #isWanted: boolean;
  #loading: Promise<WarmInterpreters> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #kernels = 0;
  #isClosed = false;

  constructor(options: WarmStartsOptions) {
    this.#options = options;
    this.#isWanted = whyNotWarm(options.python) === null;
  }

  async take(options: StartOptions): Promise<RunnerProcess | null> {
    this.#kernels++;
    return this.#loading === undefined ? null : (await this.#loading).take(options);
  }

  spawned(options: StartOptions): void {
    if (!this.#isWanted || this.#isClosed) return;
    const start = (): void =>
      void this.#load().then(
        (warm) => warm.spawned(options),
        () => undefined,
      );
    if (this.#hasSeveralKernels) return start();
    if (this.#options.startsOneKernel) return;
    this.#timer = setTimeout(start, longRunMs);
    this.#timer.unref();
  }

  /** Takes the modules that a closed kernel reports; undefined where they are not needed. */
  listener(cwd: string): StartOptions["onImports"] {
    if (!this.#isWanted || this.#options.python.preload !== "auto") return undefined;
    return (modules) => {
      if (modules.length > 0) void this.#learn(cwd, modules).catch(() => undefined);
    };
  }

  /** Memory is short. */
  letGo(): void {
    void this.#loading?.then(
      (warm) => warm.letGo(),
      () => undefined,
    );
  }

  /** Starts one as for a kernel with these options, to see whether that works. */
  async try(options: StartOptions): Promise<WarmInterpreter["state"]> {
    this.#kernels = 2;
    return (await this.#load()).try(options);
  }

  /** The modules that are not imported ahead in this folder, with the reason. */
  async dropped(cwd: string): Promise<ReadonlyMap<string, string>> {
    const known = await this.#memory(cwd);
    const unknown = this.#options.python.preload === "auto" ? known.unwanted(isHarmless) : [];
    return new Map([...known.dropped(), ...unknown.map((name) => [name, onlyListed] as const)]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#learning;
    await (await this.#loading?.catch(() => undefined))?.close();
  }

  get #hasSeveralKernels(): boolean {
    return this.#kernels > 1;
  }

  #learning: Promise<void> = Promise.resolve();

  #learn(cwd: string, modules: readonly string[]): Promise<void> {
    this.#learning = this.#learning.then(async () => (await this.#memory(cwd)).learn(modules)).catch(() => undefined);
    return this.#learning;
  }

  #load(): Promise<WarmInterpreters> {
    this.#loading ??= this.#open();
    return this.#loading;
  }

  async #open(): Promise<WarmInterpreters> {
    const { python, isMemoryShort } = this.#options;
    const { WarmInterpreters } = await import("../../kernel/runner/warm/warm-interpreters.ts");
    const memory = (cwd: string): Promise<PreloadMemory> => this.#memory(cwd);
    // Most hosts have one kernel, so what it imported is not worth the memory twice before there is a second.
    const mayGuess = (): boolean => this.#hasSeveralKernels;
    return new WarmInterpreters({
      firstDelayMs: 0,
      ownVariables: variablesOfSessions,
      prelude: true,
      mayStart: () => hasDescriptors(plenty) && !isMemoryShort(),
      preloading: {
        async wanted(cwd) {
          const known = await memory(cwd);
          if (python.preload !== "auto") return known.allowed(python.preload);
          return mayGuess() ? known.wanted(isHarmless) : [];
        },
        refused: (cwd, refusal) => void memory(cwd).then((known) => refusal.spoils && known.drop(refusal)),
      },
    });
  }

  readonly #memories = new Map<string, Promise<PreloadMemory>>();

  #memory(cwd: string): Promise<PreloadMemory> {
    const known = this.#memories.get(cwd) ?? openMemory(this.#options.home, cwd);
    this.#memories.set(cwd, known);
    return known;
  }
}

async function openMemory(home: string, cwd: string): Promise<PreloadMemory> {
  const { PreloadMemory } = await import("./preload-memory.ts");
  return new PreloadMemory(home, cwd);
}
