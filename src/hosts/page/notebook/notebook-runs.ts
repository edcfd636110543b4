import type { NotebookProgress, NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import { sayFailed, sayRan } from "../../../execute/notebook/run-summary.ts";
import { runNotebook } from "../../../execute/run-notebook.ts";
import type { CellAddress } from "../../../notebook/edit/address.ts";
import type { Session } from "../../../session/session.ts";
import type { NotebookCellRun } from "../api/notebooks.ts";
import { LiveOutput } from "./live-output.ts";
import type { NotebookFeed } from "./notebook-feed.ts";

/** Runs cells of one notebook for the page, one request after the other. Outputs go to the file, and live to the readers. */
export class NotebookRuns {
  readonly #feed: NotebookFeed;
  readonly #maxCellMegabytes: number;
  readonly #waiting: { readonly session: Session; readonly keys: readonly string[] }[] = [];
  #runs: readonly NotebookCellRun[] = [];
  #stop: AbortController | null = null;
  #live: LiveOutput | null = null;
  #answer: ((text: string) => void) | null = null;
  #working: Promise<void> | null = null;

  constructor(feed: NotebookFeed, maxCellMegabytes: number) {
    this.#feed = feed;
    this.#maxCellMegabytes = maxCellMegabytes;
    feed.liveOutputs = (key) => (this.#live?.key === key ? this.#live.outputs : null);
  }

  get runs(): readonly NotebookCellRun[] {
    return this.#runs;
  }

  get isBusy(): boolean {
    return this.#working !== null;
  }

  /** Queues code cells, by their keys. */
  run(session: Session, keys: readonly string[]): void {
    const { notebook, keys: all } = this.#feed.cells;
    const wanted = keys.filter((key) => notebook.cells[all.indexOf(key)]?.type === "code");
    const isNew = (key: string): boolean => !this.#runs.some((run) => run.key === key);
    this.#waiting.push({ session, keys: wanted });
    const queued = { state: "queued", startedAt: null, question: null } as const;
    this.#setRuns([...this.#runs, ...wanted.filter(isNew).map((key) => ({ key, ...queued }))]);
    this.#working ??= this.#work()
      .catch((error: Error) => this.#feed.tell({ type: "message", text: error.message }))
      .finally(() => {
        this.#working = null;
      });
  }

  /** Interrupts the running cell; those that wait do not run. */
  interrupt(): void {
    this.#waiting.length = 0;
    this.#stop?.abort();
  }

  /** False when no cell asks for input. */
  answer(text: string): boolean {
    const isAsked = this.#answer !== null;
    this.#answer?.(text);
    return isAsked;
  }

  /** Settles when no cell runs. */
  async settled(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    // The first request returns before its cells begin.
    await Promise.resolve();
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (!(await this.#runOne(next.session, next.keys))) this.#waiting.length = 0;
    }
    this.#setRuns([]);
  }

  /** Whether later requests may run: after an error they may not, as in other notebook editors. */
  async #runOne(session: Session, keys: readonly string[]): Promise<boolean> {
    const { path, within } = this.#feed.place;
    await this.#feed.refresh();
    const { notebook, keys: all } = this.#feed.cells;
    const indexes = keys.map((key) => all.indexOf(key)).filter((index) => index !== -1);
    const address = (index: number): CellAddress => addressOf(notebook, index);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const keyOf = (cell: { readonly index: number; readonly id: string | null }): string =>
      all[cell.id === null ? cell.index : notebook.cells.findIndex(({ id }) => id === cell.id)] ?? "";
    try {
      const run = await runNotebook(session, path, {
        ...{ cells: indexes.map(address), within, signal, maxCellMegabytes: this.#maxCellMegabytes },
        answer: (prompt, password, ended) => this.#ask({ prompt, password }, ended),
        onProgress: (progress) => this.#follow(progress, keyOf),
        onEvent: (event) => this.#live?.take(event),
      });
      await this.#feed.refresh();
      this.#report(run);
      return run.status === "ok";
    } catch (error) {
      this.#feed.tell({ type: "message", text: (error as Error).message });
      return false;
    } finally {
      this.#live = null;
      this.#stop = null;
    }
  }

  #follow(progress: NotebookProgress, keyOf: (cell: { index: number; id: string | null }) => string): void {
    if (progress.type === "cell-begins") {
      const key = keyOf(progress.cell);
      this.#live = new LiveOutput(key, (event) => this.#feed.tell(event));
      const running: NotebookCellRun = { key, state: "running", startedAt: Date.now(), question: null };
      this.#setRuns([running, ...this.#runs.filter((run) => run.key !== key)]);
    } else if (progress.type === "cell-ends") {
      this.#live?.flush();
      this.#live = null;
      this.#setRuns(this.#runs.filter(({ key }) => key !== keyOf(progress.cell)));
    }
  }

  #report(run: NotebookRun): void {
    const lost = run.cells.some(({ stored }) => stored === "edited" || stored === "gone");
    const failedHere = run.status === "failed" || run.cells.some(({ stored }) => stored === "unsaved");
    if (failedHere) this.#feed.tell({ type: "message", text: sayFailed(run, "/", Number.POSITIVE_INFINITY) });
    else if (lost && run.status === "ok") this.#feed.tell({ type: "message", text: sayRan(run, "/") });
  }

  #ask(question: NonNullable<NotebookCellRun["question"]>, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#answer = null;
        this.#setQuestion(null);
        signal.removeEventListener("abort", giveUp);
      };
      const giveUp = (): void => {
        end();
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener("abort", giveUp, { once: true });
      this.#answer = (text) => {
        end();
        resolve(text);
      };
      this.#setQuestion(question);
    });
  }

  #setQuestion(question: NotebookCellRun["question"]): void {
    this.#setRuns(this.#runs.map((run) => (run.state === "running" ? { ...run, question } : run)));
  }

  #setRuns(runs: readonly NotebookCellRun[]): void {
    this.#runs = runs;
    this.#feed.tell({ type: "runs", runs });
  }
}

/** By its id, which stays with the cell when another program moves it. */
function addressOf({ cells }: NotebookFeed["cells"]["notebook"], index: number): CellAddress {
  const id = cells[index]?.id ?? null;
  return id !== null && cells.filter((cell) => cell.id === id).length === 1 ? id : index;
}
