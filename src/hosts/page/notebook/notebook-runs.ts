import type { NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import { sayFailed, sayRan } from "../../../execute/notebook/run-summary.ts";
import { runNotebook } from "../../../execute/run-notebook.ts";
import type { CellAddress } from "../../../notebook/edit/address.ts";
import type { Session } from "../../../session/session.ts";
import type { NotebookCellRun } from "../api/notebooks.ts";
import { anybodyAnswers } from "../feed/anybody-answers.ts";
import { type PageFeeds, pageOwner } from "../feed/page-feeds.ts";
import { LiveCells } from "./live-cells.ts";
import type { NotebookFeed } from "./notebook-feed.ts";

/** Runs cells of one notebook for the page, one request after the other. Outputs go to the file, and live to the readers. */
export class NotebookRuns {
  readonly #feed: NotebookFeed;
  readonly #live: LiveCells;
  readonly #maxCellMegabytes: number;
  readonly #waiting: { readonly session: Session; readonly keys: readonly string[] }[] = [];
  /** Of the request that is run, the cells that have not ended. */
  #left: readonly string[] = [];
  #stop: AbortController | null = null;
  #working: Promise<void> | null = null;

  static async open(feed: NotebookFeed, feeds: PageFeeds, maxCellMegabytes: number): Promise<NotebookRuns> {
    const live: LiveCells = await LiveCells.watch(feed, feeds, () => runs.#tell());
    const runs = new NotebookRuns(feed, live, maxCellMegabytes);
    return runs;
  }

  private constructor(feed: NotebookFeed, live: LiveCells, maxCellMegabytes: number) {
    this.#feed = feed;
    this.#live = live;
    this.#maxCellMegabytes = maxCellMegabytes;
    feed.liveOutputs = (key) => live.outputsOf(key);
  }

  /** The cells that run or wait: those of all clients, then those that readers of the page asked for. */
  get runs(): readonly NotebookCellRun[] {
    const live = this.#live.runs;
    const asked = new Set([...this.#left, ...this.#waiting.flatMap(({ keys }) => keys)]);
    for (const { key } of live) asked.delete(key);
    const queued = { by: pageOwner, state: "queued", startedAt: null, question: null } as const;
    return [...live, ...[...asked].map((key) => ({ key, ...queued }))];
  }

  get isBusy(): boolean {
    return this.#working !== null;
  }

  /** Queues code cells, by their keys. */
  run(session: Session, keys: readonly string[]): void {
    const { notebook, keys: all } = this.#feed.cells;
    const wanted = keys.filter((key) => notebook.cells[all.indexOf(key)]?.type === "code");
    this.#waiting.push({ session, keys: wanted });
    this.#tell();
    this.#working ??= this.#work()
      .catch((error: Error) => this.#feed.tell({ type: "message", text: error.message }))
      .finally(() => {
        this.#working = null;
      });
  }

  /** Interrupts the running cell, also that of another client; those that wait do not run. */
  interrupt(): void {
    this.#waiting.length = 0;
    this.#stop?.abort();
    this.#live.interrupt();
  }

  /** False when no cell asks for input. */
  answer(text: string): boolean {
    return this.#live.answer(text);
  }

  /** Settles when no cell runs for the page. */
  async settled(): Promise<void> {
    await this.#working;
  }

  close(): void {
    this.#waiting.length = 0;
    this.#stop?.abort();
    this.#live.close();
  }

  async #work(): Promise<void> {
    // The first request returns before its cells begin.
    await Promise.resolve();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#left = next.keys;
      if (!(await this.#runOne(next.session, next.keys))) this.#waiting.length = 0;
      this.#left = [];
    }
    this.#tell();
  }

  /** Whether later requests may run: after an error they may not, as in other notebook editors. */
  async #runOne(session: Session, keys: readonly string[]): Promise<boolean> {
    const { path, within } = this.#feed.place;
    await this.#feed.refresh();
    const { notebook, keys: all } = this.#feed.cells;
    const indexes = keys.map((key) => all.indexOf(key)).filter((index) => index !== -1);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const keyOf = (cell: { readonly index: number; readonly id: string | null }): string =>
      all[cell.id === null ? cell.index : notebook.cells.findIndex(({ id }) => id === cell.id)] ?? "";
    try {
      const run = await runNotebook(session, path, {
        ...{ within, signal, maxCellMegabytes: this.#maxCellMegabytes },
        cells: indexes.map((index) => addressOf(notebook, index)),
        answer: anybodyAnswers,
        onProgress: (progress) => {
          if (progress.type === "cell-ends") this.#left = this.#left.filter((key) => key !== keyOf(progress.cell));
        },
      });
      await this.#feed.refresh();
      this.#report(run);
      return run.status === "ok";
    } catch (error) {
      this.#feed.tell({ type: "message", text: (error as Error).message });
      return false;
    } finally {
      this.#stop = null;
    }
  }

  #report(run: NotebookRun): void {
    const lost = run.cells.some(({ stored }) => stored === "edited" || stored === "gone");
    const failedHere = run.status === "failed" || run.cells.some(({ stored }) => stored === "unsaved");
    if (failedHere) this.#feed.tell({ type: "message", text: sayFailed(run, "/", Number.POSITIVE_INFINITY) });
    else if (lost && run.status === "ok") this.#feed.tell({ type: "message", text: sayRan(run, "/") });
  }

  #tell(): void {
    this.#feed.tell({ type: "runs", runs: this.runs });
  }
}

/** By its id, which stays with the cell when another program moves it. */
function addressOf({ cells }: NotebookFeed["cells"]["notebook"], index: number): CellAddress {
  const id = cells[index]?.id ?? null;
  return id !== null && cells.filter((cell) => cell.id === id).length === 1 ? id : index;
}
