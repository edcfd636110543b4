import { deferred } from "../../../support/deferred.ts";
import { keepingHost } from "../../../support/process/keeping-host.ts";
import type { StartOptions } from "../../kernel.ts";
import type { KernelForks } from "../runner-backend.ts";
import type { RunnerProcess } from "../spawn-runner.ts";
import { type Preloading, type PreloadLimits, WarmInterpreter } from "./warm-interpreter.ts";

export interface WarmOptions {
  /** The variables that every kernel has a value of its own for; all others are those of the warm interpreter. */
  readonly ownVariables?: readonly string[] | undefined;
  readonly preloading?: Preloading | undefined;
  /** Loaded before the first fork, so that kernels have it already. */
  readonly prelude?: boolean | undefined;
  /** Whether there is memory for another process. */
  readonly mayStart?: (() => boolean) | undefined;
  readonly limits?: PreloadLimits | undefined;
  /** How long an interpreter that forked no kernel is kept. */
  readonly idleMs?: number | undefined;
  /** How long a host has to live before its first kernel is a reason for a warm interpreter. */
  readonly firstDelayMs?: number | undefined;
}

const mostInterpreters = 3;
/** After so many, it is not tried again while the host lives. */
const mostFailures = 3;
const defaultLimits: PreloadLimits = { seconds: 5, megabytes: 500, atMostSeconds: 20 };
const defaultIdleMs = 10 * 60_000;
const defaultFirstDelayMs = 1000;

/**
 * The warm interpreters of a host, one for each Python, environment and project. The first kernel of a kind is started cold;
 * those after it are forked as soon as there is something to fork them from.
 */
export class WarmInterpreters implements KernelForks, AsyncDisposable {
  readonly #options: WarmOptions;
  /** The least recently used first. */
  readonly #interpreters = new Map<string, WarmInterpreter>();
  readonly #successors = new Map<string, WarmInterpreter>();
  readonly #failures = new Map<string, number>();
  readonly #starting = new Set<Promise<void>>();
  readonly #closed = deferred<void>();
  /** Ended, or about to end. */
  readonly #ending = new Set<Promise<void>>();
  #hasSpawned = false;
  #isClosed = false;

  constructor(options: WarmOptions = {}) {
    this.#options = options;
  }

  async take(options: StartOptions): Promise<RunnerProcess | null> {
    if (this.#isClosed || options.inheritsStdin || options.launcher) return null;
    const wish = await this.#wishOf(options);
    const found = this.#interpreters.get(wish.key);
    if (found === undefined) return null;
    if (found.isOutdated) {
      this.#drop(wish.key, found);
      this.#start(wish, options);
      return null;
    }
    this.#interpreters.delete(wish.key);
    this.#interpreters.set(wish.key, found);
    if (!found.imports(wish.preload)) this.#replace(found, wish, options);
    return found.take({ cwd: options.cwd, env: wish.own }, options.signal);
  }

  spawned(options: StartOptions): void {
    // A sandbox holds for one kernel: nothing is forked from a Python without it, or with another.
    if (this.#isClosed || options.inheritsStdin || options.launcher) return;
    const delay = this.#hasSpawned ? 0 : (this.#options.firstDelayMs ?? defaultFirstDelayMs);
    this.#hasSpawned = true;
    const starting = this.#startAfter(delay, options)
      .catch(() => undefined)
      .finally(() => this.#starting.delete(starting));
    this.#starting.add(starting);
  }

  /** Settles when every interpreter that is getting ready is ready, or has failed. */
  async settled(): Promise<void> {
    await keepingHost(async () => {
      while (this.#starting.size > 0) await Promise.all(this.#starting);
      const all = [...this.#interpreters.values(), ...this.#successors.values()];
      await Promise.all(all.map((interpreter) => interpreter.settled));
    });
  }

  /** For `granary doctor`: whether a kernel with these options would be forked, from what, or why not. */
  async try(options: StartOptions): Promise<WarmInterpreter["state"]> {
    const interpreter = this.#create(await this.#wishOf(options), options);
    await keepingHost(() => interpreter.settled.then(() => interpreter.hasForked()));
    const { state } = interpreter;
    await interpreter.end();
    return state;
  }

  /** Ends all of them, because what they need is short; later kernels may be the reason for new ones. */
  letGo(): void {
    for (const [key, interpreter] of [...this.#interpreters, ...this.#successors]) this.#drop(key, interpreter);
  }

  /** Ends all of them, with their spare kernels. Kernels that were taken are their takers' to end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    this.letGo();
    await keepingHost(() => Promise.all(this.#ending));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #startAfter(milliseconds: number, options: StartOptions): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
      timer.unref();
    });
    await Promise.race([over, this.#closed.promise]);
    clearTimeout(timer);
    this.#start(await this.#wishOf(options), options);
  }

  #start(wish: Wish, options: StartOptions): void {
    if (this.#isClosed || this.#interpreters.has(wish.key) || !this.#mayStart(wish)) return;
    this.#interpreters.set(wish.key, this.#create(wish, options));
    const [oldest] = this.#interpreters;
    if (this.#interpreters.size > mostInterpreters && oldest) this.#drop(...oldest);
  }

  /** Other modules are wanted: one that has them takes over when it is ready. */
  #replace(found: WarmInterpreter, wish: Wish, options: StartOptions): void {
    if (this.#successors.has(wish.key) || !this.#mayStart(wish)) return;
    const successor = this.#create(wish, options);
    this.#successors.set(wish.key, successor);
    void successor.settled.then(() => {
      this.#successors.delete(wish.key);
      if ("problem" in successor.state) return;
      if (this.#isClosed || this.#interpreters.get(wish.key) !== found) return this.#drop(wish.key, successor);
      this.#drop(wish.key, found);
      this.#interpreters.set(wish.key, successor);
    });
  }

  #mayStart({ key }: Wish): boolean {
    return (this.#failures.get(key) ?? 0) < mostFailures && this.#options.mayStart?.() !== false;
  }

  #create(wish: Wish, { interpreter, cwd }: StartOptions): WarmInterpreter {
    const created: WarmInterpreter = new WarmInterpreter({
      interpreter,
      cwd,
      env: wish.shared,
      preload: wish.preload,
      prelude: this.#options.prelude,
      preloading: this.#options.preloading,
      limits: this.#options.limits ?? defaultLimits,
      idleMs: this.#options.idleMs ?? defaultIdleMs,
      onEnd: (why) => {
        if (why === "failed") this.#failures.set(wish.key, (this.#failures.get(wish.key) ?? 0) + 1);
        this.#drop(wish.key, created);
      },
    });
    return created;
  }

  #drop(key: string, interpreter: WarmInterpreter): void {
    if (this.#interpreters.get(key) === interpreter) this.#interpreters.delete(key);
    const ending = interpreter.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  async #wishOf({ interpreter, cwd, env }: StartOptions): Promise<Wish> {
    const { ownVariables = [], preloading } = this.#options;
    const preload = (await preloading?.wanted(cwd)) ?? [];
    const entries = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
    const shared = entries.filter(([name]) => !ownVariables.includes(name));
    const own = entries.filter(([name]) => ownVariables.includes(name));
    // Modules may read the working folder while they are imported, and so does a relative PYTHONPATH.
    const dependsOnFolder = preloading !== undefined || /(^|:)([^/:]|$)/.test(env.PYTHONPATH || "/");
    const key = JSON.stringify([interpreter, shared, dependsOnFolder ? cwd : null]);
    return { key, shared: Object.fromEntries(shared), own: Object.fromEntries(own), preload };
  }
}

interface Wish {
  readonly key: string;
  readonly shared: Readonly<Record<string, string>>;
  readonly own: Readonly<Record<string, string>>;
  readonly preload: readonly string[];
}
