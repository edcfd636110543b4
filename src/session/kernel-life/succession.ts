import { KernelError } from "../../kernel/errors.ts";
import type { OnHostCall } from "../../kernel/host-call.ts";
import type { Kernel, RestoredState } from "../../kernel/kernel.ts";
import { deadlineAfter } from "../../support/deadline.ts";
import { deferred } from "../../support/deferred.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { isExhaustion } from "../../support/process/exhaustion.ts";
import { keepingHost } from "../../support/process/keeping-host.ts";
import { sayTimeLimit } from "../../support/say-count.ts";
import type { Timeline } from "../checkpoints/timeline.ts";
import type { Kernels } from "../ledger.ts";
import type { PythonTool } from "../python-tools.ts";
import type { LifeCycle } from "./life.ts";

/** The kernels of one session, one after the other, and how each ended. */
export class Succession implements Kernels {
  readonly #start: StartKernel;
  readonly #life: LifeCycle;
  readonly #onKernel: (kernel: Kernel) => void;
  readonly #timeline: Timeline | null;
  /** Where the next one comes from, if it is neither restored nor started. */
  #source: ((signal: AbortSignal) => Promise<Kernel>) | null = null;
  #kernel: Kernel | null = null;
  #generation = 0;
  /** The number of the living one's last cell. */
  executionCount = 0;
  #ending: Promise<void> = Promise.resolve();
  #whyGone: string | null = null;
  #whyReplaced: string | null = null;
  /** The latest replacements; the generation is that of the kernel that is gone. */
  #replaced: readonly { readonly generation: number; readonly reason: string }[] = [];
  /** Whether the living one is there because all cells were undone. */
  #isStartedOver = false;

  constructor(start: StartKernel, life: LifeCycle, timeline: Timeline | null, onKernel: (kernel: Kernel) => void) {
    this.#start = start;
    this.#timeline = timeline;
    this.#life = life;
    this.#onKernel = onKernel;
  }

  /** The living one, if there is one. */
  get kernel(): Kernel | null {
    return this.#kernel;
  }

  get isAlive(): boolean {
    return this.#kernel !== null;
  }

  /** How many there have been. */
  get generation(): number {
    return this.#generation;
  }

  get whyGone(): string | null {
    return this.#whyGone;
  }

  get whyReplaced(): string | null {
    return this.#whyReplaced;
  }

  whyReplacedSince(generation: number): readonly string[] {
    return this.#replaced.flatMap((one) => (one.generation >= generation ? [one.reason] : []));
  }

  get restored(): RestoredState | null {
    return this.#kernel?.info.restored ?? (this.#isStartedOver && this.isAlive ? beforeAllCells : null);
  }

  get whyNoCheckpoint(): string | null {
    return this.#timeline?.whyNot ?? null;
  }

  /** The next one comes from there. */
  comeFrom(source: (signal: AbortSignal) => Promise<Kernel>): void {
    this.#source = source;
  }

  /** Settles when none is on its way out. */
  get ended(): Promise<void> {
    return this.#ending;
  }

  /** The next one, as it was at a checkpoint or fresh. There must be none, not even one on its way out. */
  async begin(signal: AbortSignal): Promise<Kernel> {
    this.#life.move(this.#generation === 0 ? "provisioning" : "restarting", this.#whyGone);
    let kernel: Kernel;
    try {
      kernel = await this.#next(signal);
    } catch (error) {
      this.#life.move("dead", "The kernel could not be started.");
      throw error;
    }
    return this.#welcome(kernel);
  }

  /** Replaces the living one, if there is one, by one that another session had, or that has an earlier state. */
  async replace(next: () => Promise<Kernel>, reason: string | null): Promise<void> {
    const kernel = this.#kernel;
    this.#life.move("restarting", reason);
    this.#kernel = null;
    this.#whyGone = reason;
    try {
      // At once: its exit handlers would remove what the next one has.
      if (kernel !== null) await closed(kernel, reason ?? "Another kernel took its place.");
      this.#welcome(await next());
    } catch (error) {
      this.#life.move("dead", reason);
      throw error;
    }
  }

  /** Replaces the living one by a fresh one: all of its cells are undone. */
  async startOver(reason: string, signal: AbortSignal): Promise<void> {
    await this.#start.check?.();
    await this.replace(() => {
      this.#timeline?.startOver();
      return startInTime(this.#start, signal);
    }, reason);
    this.#isStartedOver = true;
  }

  /** Takes the living one away, for another session. */
  release(reason: string): Kernel | null {
    const kernel = this.#kernel;
    if (kernel === null) return null;
    this.#kernel = null;
    this.#whyGone = reason;
    this.#life.move("dead", reason);
    return kernel;
  }

  async #next(signal: AbortSignal): Promise<Kernel> {
    const source = this.#source;
    this.#source = null;
    if (source !== null) return source(signal);
    const timeline = this.#timeline;
    const restored = timeline?.hasCheckpoint
      ? await keepingHost(() => startInTime((starting) => timeline.takeOver(starting), signal))
      : null;
    if (restored !== null) return restored;
    this.#timeline?.isFresh();
    return startInTime(this.#start, signal);
  }

  #welcome(kernel: Kernel): Kernel {
    this.#kernel = kernel;
    this.#isStartedOver = false;
    this.#generation += 1;
    this.executionCount = kernel.info.restored?.count ?? 0;
    this.#whyReplaced = this.#whyGone;
    const reason = this.#whyGone;
    if (reason !== null)
      this.#replaced = [...this.#replaced, { generation: this.#generation - 1, reason }].slice(-mostReplaced);
    this.#whyGone = null;
    this.#onKernel(kernel);
    this.#life.move("ready");
    void kernel.exited.then(({ summary }) => this.#hasDied(kernel, summary));
    return kernel;
  }

  /** Ends the living one, if there is one. */
  end(reason: string): Promise<void> {
    const kernel = this.#kernel;
    this.#timeline?.clear();
    if (kernel !== null) {
      this.#kernel = null;
      this.#whyGone = reason;
      this.#life.move("shutting down", reason);
      this.#ending = closed(kernel).then(() => this.#life.move("dead", reason));
    }
    return this.#ending;
  }

  /** A kernel that is unusable, though it has not exited: its process is stopped, or its server does not know it. */
  giveUp(kernel: Kernel, reason: string): void {
    if (this.#hasDied(kernel, reason)) void closed(kernel, reason);
  }

  #hasDied(kernel: Kernel, reason: string): boolean {
    if (this.#kernel !== kernel) return false;
    this.#kernel = null;
    this.#whyGone = reason;
    this.#life.move("dead", reason);
    return true;
  }
}

/** As many as a client may want to read of. */
const mostReplaced = 20;

const beforeAllCells: RestoredState = { count: 0, lost: [] };

/** One that cannot be closed, such as a remote one out of reach, is dropped. */
function closed(kernel: Kernel, why?: string): Promise<void> {
  return kernel.close(why).catch(() => {});
}

/** Starts a kernel, ready to run cells; when it fails, or the signal aborts, it leaves no process. */
export interface StartKernel {
  (signal: AbortSignal, listener?: KernelListener, consent?: Consent): Promise<Kernel>;
  /** Throws where a start for that client is refused. Asked before a kernel ends to make room for it: its variables would be lost for nothing. */
  readonly check?: (consent?: Consent) => Promise<void>;
}

/**
 * The word of the client that a kernel starts for: whether files of a folder may name programs and run code; undefined to ask what the
 * user has told `granary trust`.
 */
export type Consent = (folder: string) => Promise<boolean | undefined>;

/** A session's listener to its kernel, besides the events of cells. */
export interface KernelListener {
  readonly onHostCall: OnHostCall;
  /** Called with the functions that were marked with `@tool` during the bootstrap. */
  onPythonTools(tools: readonly PythonTool[]): void;
  /** A sentence about the start, for the next result. */
  onNotice?(sentence: string): void;
  /** Called with the function that explains output of failed commands: a sandbox denies things to programs that do not know why. */
  onExplainer?(explain: ExplainOutput): void;
}

/** Sentences for the result of a cell with a failed command that had this output. */
export type ExplainOutput = (output: string) => readonly string[];

/** How long to wait for an aborted start, so that it can clean up. */
const usualTimeoutMs = 5000;

/** A start that ends with its signal, even if it hangs where signals have no effect, as on a disk that does not answer. */
export async function startInTime<Started extends Kernel | null>(
  start: (signal: AbortSignal) => Promise<Started>,
  signal: AbortSignal,
  timeoutMs = usualTimeoutMs,
): Promise<Started> {
  signal.throwIfAborted();
  const hangs = deferred<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    timer = setTimeout(() => hangs.reject(signal.reason), timeoutMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  const starting = start(signal);
  try {
    return await Promise.race([starting, hangs.promise]);
  } catch (error) {
    // A kernel that still comes has no owner.
    starting.then((late) => late?.close()).catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

export interface Provision {
  /** Settles when there is room for a kernel; calls `onWait` with the reason for a long wait. */
  admit(signal: AbortSignal, onWait: (reason: string) => void): Promise<void>;
  /** Frees what other sessions hold. */
  makeRoom(): Promise<void>;
  /** How long a start may take, all of its stages together; waiting for room does not count. */
  readonly startMs: number;
}

/** The session's living kernel, or the next one. Throws the signal's reason when that comes first. */
export async function ensureKernel(
  kernels: Succession,
  provision: Provision,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<Kernel> {
  // One that is dead, though it has not been noticed yet.
  if (kernels.kernel?.state === "dead") await kernels.kernel.exited;
  if (kernels.kernel !== null) return kernels.kernel;
  try {
    return await admitAndBegin(kernels, provision, signal, onWait);
  } catch (error) {
    if (!isExhaustion(error)) throw error;
    await provision.makeRoom();
  }
  try {
    return await admitAndBegin(kernels, provision, signal, onWait);
  } catch (error) {
    if (!isExhaustion(error)) throw error;
    throw new GranaryError("exhausted", exhaustionRemedy, { cause: error });
  }
}

/** A session has its place from here until its kernel is gone, or could not be started. */
async function admitAndBegin(
  kernels: Succession,
  provision: Provision,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<Kernel> {
  // The place of a kernel that is shutting down goes to another session.
  await kernels.ended;
  await provision.admit(signal, onWait);
  using deadline = deadlineAfter(provision.startMs, signal);
  try {
    return await kernels.begin(deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.hasPassed ? tookTooLong(provision.startMs, error) : error;
  }
}

function tookTooLong(startMs: number, cause: unknown): KernelError {
  const limit = `Python was not ready within ${sayTimeLimit(startMs)} (the setting python.startSeconds).`;
  const detail = cause instanceof KernelError ? ` ${cause.message}` : "";
  return new KernelError("start-timeout", `${limit}${detail}`, { cause });
}

const exhaustionRemedy =
  "Too many files are open. Granary has closed its other Python sessions and tried again. " +
  "Raise the limit with `ulimit -n 4096`, or close what holds files open.";
