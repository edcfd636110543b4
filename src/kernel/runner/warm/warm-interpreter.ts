import { keepingHost } from "../../../support/process/keeping-host.ts";
import { endsWithin } from "../../../support/process/process-group.ts";
import type { StartOptions } from "../../kernel.ts";
import type { RunnerProcess } from "../spawn-runner.ts";
import type { ForkedChild } from "./forked-child.ts";
import { hasModule, Installation } from "./installation.ts";
import { type Refusal, Template } from "./template.ts";
import type { Place, Ready } from "./template-frames.ts";

/** The modules to import ahead, and a listener for the outcome. */
export interface Preloading {
  wanted(cwd: string): Promise<readonly string[]>;
  refused(cwd: string, refusal: Refusal): void;
}

export interface PreloadLimits {
  /** After that time, and beyond that memory, no further module is imported. */
  readonly seconds: number;
  readonly megabytes: number;
  /** An interpreter that is not ready by then is ended; what it was importing is not imported again. */
  readonly atMostSeconds: number;
}

interface Options extends Pick<StartOptions, "interpreter" | "cwd" | "env"> {
  readonly preload: readonly string[];
  readonly prelude: boolean | undefined;
  readonly preloading: Preloading | undefined;
  readonly limits: PreloadLimits;
  readonly idleMs: number;
  /** Called when it was unused for that long or has failed: the owner ends it. */
  readonly onEnd: (why: "idle" | "failed") => void;
}

const forkMs = 2000;
const mostTemplates = 4;

/** One warm interpreter with its spare kernel. One that cannot be had is only not there: kernels are spawned then. */
export class WarmInterpreter {
  /** Settles when it is ready for kernels or given up. */
  readonly settled: Promise<void>;
  readonly #options: Options;
  readonly #refused = new Set<string>();
  #idle: NodeJS.Timeout | undefined;
  #template: Template | undefined;
  #loaded: readonly string[] = [];
  #problem: string | null = null;
  #isReady = false;
  #hasEnded = false;
  #tops: ReadonlySet<string> = new Set();
  #installation: Installation | undefined;
  #spare: Promise<ForkedChild | null> | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.settled = this.#getReady().catch((error: Error) => {
      this.#problem = error.message;
      this.#giveUp();
    });
    this.#wanted();
  }

  /** Whether packages were installed, changed or removed since it was started. */
  get isOutdated(): boolean {
    return this.#isReady && this.#installation?.hasChanged() !== false;
  }

  /** The imported modules, or the reason why there is nothing to fork from; known once `settled`. */
  get state(): { readonly loaded: readonly string[] } | { readonly problem: string } {
    return this.#isReady ? { loaded: this.#loaded } : { problem: this.#problem ?? "it is not ready" };
  }

  /** Whether a fork has worked; known once `settled`. */
  async hasForked(): Promise<boolean> {
    return (await this.#spare) !== null;
  }

  /** Whether these are the modules that it was started for. */
  imports(modules: readonly string[]): boolean {
    const wanted = (names: readonly string[]): string => names.filter((name) => !this.#refused.has(name)).join();
    return wanted(modules) === wanted(this.#options.preload);
  }

  /** Null where it is not ready, or cannot. */
  async take(request: Place, signal: AbortSignal | undefined): Promise<RunnerProcess | null> {
    this.#wanted();
    if (!this.#isReady || signal?.aborted || hasModule(request.cwd, this.#tops)) return null;
    const spare = this.#spare;
    this.#spare = null;
    const child = await keepingHost(async () => (await spare) ?? this.#fork());
    if (child === null) return null;
    // Beside the kernel's first steps, which are not to wait for it.
    setImmediate(() => this.#keepSpare());
    return child.becomeKernel(request);
  }

  end(): Promise<void> {
    return keepingHost(() => this.#end());
  }

  async #end(): Promise<void> {
    this.#hasEnded = true;
    const isBeginning = !(await endsWithin(this.settled, 0));
    this.#isReady = false;
    clearTimeout(this.#idle);
    const spare = this.#spare;
    this.#spare = null;
    if (isBeginning) this.#template?.kill();
    await this.settled;
    await (await spare)?.end();
    await this.#template?.end();
  }

  async #getReady(): Promise<void> {
    for (let count = 0; count < mostTemplates && !this.#hasEnded; count++) {
      const refusedBefore = this.#refused.size;
      const { template, isReady } = await this.#startTemplate();
      if (isReady) return this.#serve(template, await template.ready);
      template.kill();
      this.#problem = await template.ready.then(
        () => null,
        (error: Error) => error.message,
      );
      const wasModule = this.#refused.size > refusedBefore;
      if (!wasModule) break;
    }
    this.#giveUp();
  }

  async #startTemplate(): Promise<{ readonly template: Template; readonly isReady: boolean }> {
    const { interpreter, cwd, env, preload, prelude, limits } = this.#options;
    const modules = preload.filter((module) => !this.#refused.has(module));
    const { seconds, megabytes } = limits;
    const options = { interpreter, cwd, env, preload: modules, prelude, limits: { seconds, megabytes } };
    const template = await Template.start(options, {
      onBegun: (path) => {
        this.#installation = new Installation(interpreter, path);
      },
      onRefusal: (refusal) => this.#refuse(refusal),
    });
    this.#template = template;
    if (this.#hasEnded) template.kill();
    const isReady = await settlesWithin(template.ready, limits.atMostSeconds * 1000);
    const { loading: module } = template;
    if (!isReady && module !== null && !this.#hasEnded && !this.#refused.has(module))
      this.#refuse({ module, why: "it ended Python, or took too long", spoils: true });
    return { template, isReady };
  }

  #serve(template: Template, { tops, loaded }: Ready): void {
    this.#loaded = loaded;
    this.#tops = new Set(tops);
    void template.ended.then(() => this.#giveUp());
    this.#isReady = !this.#hasEnded;
    this.#keepSpare();
  }

  #refuse(refusal: Refusal): void {
    this.#refused.add(refusal.module);
    this.#options.preloading?.refused(this.#options.cwd, refusal);
  }

  #giveUp(): void {
    this.#isReady = false;
    if (!this.#hasEnded) this.#options.onEnd("failed");
  }

  #keepSpare(): void {
    if (this.#isReady) this.#spare ??= this.#fork();
  }

  /** Null when it did not work, in which case nothing will. */
  async #fork(): Promise<ForkedChild | null> {
    const template = this.#template;
    if (!template) return null;
    try {
      return await template.fork(AbortSignal.timeout(forkMs));
    } catch (error) {
      this.#problem = (error as Error).message;
      this.#giveUp();
      return null;
    }
  }

  #wanted(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#options.onEnd("idle"), this.#options.idleMs);
    this.#idle.unref();
  }
}

/** As `endsWithin`, without keeping the host from ending. */
async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
    timer.unref();
  });
  const settled = promise.then(
    () => true,
    () => false,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
