import { type CellEvents, dropEvent } from "./cell-events.ts";
import { KernelError } from "./errors.ts";
import type { KernelEvent, StreamName } from "./events.ts";
import type { ExecuteOptions, ExitReport, KernelState, LateDisplay } from "./kernel.ts";
import { withLargeContents } from "./large-content.ts";

/** A cell as its kernel sees it. */
interface RunningCell {
  readonly events: CellEvents;
  readonly hasEnded: boolean;
}

/** The party that ended a kernel, at least. */
type End = "itself" | "close" | { readonly trouble: string };

const keptCharacters = 64 * 1024;
/** In bytes, of one form of a display between cells. */
const largestLate = 16_000_000;

/** Output that belongs to no cell: passed to listeners, or kept for the first one. */
class BackgroundStream {
  readonly #listeners: ((text: string, name: StreamName) => void)[] = [];
  #kept: { readonly text: string; readonly name: StreamName }[] = [];
  #keptLength = 0;

  push(name: StreamName, text: string): void {
    if (this.#listeners.length > 0) {
      for (const listener of this.#listeners) listener(text, name);
      return;
    }
    this.#kept.push({ text, name });
    this.#keptLength += text.length;
    while (this.#keptLength > keptCharacters && this.#kept.length > 1) {
      this.#keptLength -= this.#kept.shift()?.text.length ?? 0;
    }
  }

  listen(listener: (text: string, name: StreamName) => void): void {
    this.#listeners.push(listener);
    for (const { text, name } of this.#kept) listener(text, name);
    this.#kept = [];
    this.#keptLength = 0;
  }
}

/** The common part of all kernels: they run one cell at a time, interrupt it once, and close once. */
export abstract class OneCellKernel<Cell extends RunningCell, EndedBy> {
  abstract readonly exited: Promise<ExitReport>;
  protected readonly background = new BackgroundStream();
  protected cell: Cell | undefined;
  protected endedBy: EndedBy | End = "itself";
  #state: KernelState = "idle";
  #cellsBegun = 0;
  #beforeCell: () => void = () => {};
  #interruption: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  readonly #lateListeners: ((event: LateDisplay) => void)[] = [];
  #stopListening: () => void = () => {};

  get state(): KernelState {
    return this.#state;
  }

  get cellsBegun(): number {
    return this.#cellsBegun;
  }

  onCell(listener: () => void): void {
    this.#beforeCell = listener;
  }

  async interrupt(): Promise<void> {
    const { cell } = this;
    if (!cell) return;
    this.#interruption ??= this.interruptCell(cell);
    await this.#interruption;
  }

  onBackground(listener: (text: string, name: StreamName) => void): void {
    this.background.listen(listener);
  }

  onLateDisplay(listener: (event: LateDisplay) => void): void {
    this.#lateListeners.push(listener);
  }

  /** From a thread that outlived its cell: passed on, and its text is background output. */
  protected async displayedLate(event: LateDisplay): Promise<void> {
    const text = event.data["text/plain"];
    if (typeof text === "string") this.background.push("stdout", `${text}\n`);
    if (this.#lateListeners.length === 0) return dropEvent(event);
    const whole = await withLargeContents(event, () => largestLate).finally(() => dropEvent(event));
    for (const listener of this.#lateListeners) listener(whole);
  }

  close(why?: string): Promise<void> {
    this.#closing ??= why === undefined ? this.closeNow() : this.#giveUp(why);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Interrupts the cell until it has ended; ends the kernel if nothing else helps. */
  protected abstract interruptCell(cell: Cell): Promise<void>;
  /** Ends the kernel cleanly. */
  protected abstract closeNow(): Promise<void>;
  /** Ends the kernel by force. */
  protected abstract kill(): Promise<void>;

  protected get isClosing(): boolean {
    return this.#closing !== undefined;
  }

  /** Starts the cell. Written by hand: a generator would double the time that a trivial cell takes. */
  protected begin(cell: Cell): AsyncIterable<KernelEvent> {
    this.#beforeCell();
    this.cell = cell;
    this.#state = "busy";
    this.#cellsBegun++;
    const events = {
      next: () => cell.events.next(),
      // The caller left early: the cell must not keep running unseen.
      return: async () => {
        if (!cell.hasEnded) {
          cell.events.abandon();
          await this.interrupt();
        }
        cell.events.releaseFiles();
        return { done: true, value: undefined } as const;
      },
      [Symbol.asyncIterator]: () => events,
    };
    return events;
  }

  protected interruptOn(signal: ExecuteOptions["signal"], cell: Cell): void {
    if (signal === undefined) return;
    const interrupt = (): void => {
      if (this.cell === cell) void this.interrupt();
    };
    if (signal.aborted) return interrupt();
    signal.addEventListener("abort", interrupt, { once: true });
    // Not by a signal of the cell's own, which would cost more than everything else here.
    this.#stopListening = () => signal.removeEventListener("abort", interrupt);
  }

  /** The cell has ended, or the kernel is about to. */
  protected endCell(): void {
    this.#interruption = undefined;
    this.#stopListening();
    this.cell = undefined;
    if (this.#state === "busy") this.#state = "idle";
  }

  protected die(): void {
    this.#state = "dead";
  }

  protected requireAlive(): void {
    if (this.#state === "dead" || this.#closing) {
      throw new KernelError("kernel-closed", "This kernel has ended. Start another one.");
    }
  }

  protected requireIdle(): void {
    this.requireAlive();
    if (this.#state === "busy") {
      throw new KernelError("busy", "This kernel is running a cell. Wait for its end, or interrupt it.");
    }
  }

  async #giveUp(trouble: string): Promise<void> {
    if (this.#state === "dead") return;
    this.endedBy = { trouble };
    await this.kill();
    await this.exited;
  }
}
