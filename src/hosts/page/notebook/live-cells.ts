import { realpath } from "node:fs/promises";
import type { CellOfNotebook, Execution } from "../../../session/execution/execution.ts";
import type { CellHead, PageOutput } from "../api/cells.ts";
import type { SessionEvent } from "../api/events.ts";
import type { NotebookCellRun } from "../api/notebooks.ts";
import type { PageFeeds } from "../feed/page-feeds.ts";
import type { SessionFeed } from "../feed/session-feed.ts";
import type { NotebookFeed } from "./notebook-feed.ts";

/** A run of the notebook by any client, with the cell that it is at. */
interface LiveRun {
  readonly execution: Execution;
  readonly feed: SessionFeed;
  readonly cells: readonly { readonly index: number; readonly id: string | null }[];
  readonly position: number;
  /** `ended`: the next cell has not begun. */
  state: "queued" | "running" | "ended";
  startedAt: number | null;
  question: NotebookCellRun["question"];
}

/** The cells of a notebook that run for any client, with their output as it comes. It is in the file a moment after their end. */
export class LiveCells {
  readonly #feed: NotebookFeed;
  readonly #onChange: () => void;
  readonly #stopWatching: () => void;
  /** By the promise that all cells of a run have in common. */
  readonly #runs = new Map<CellOfNotebook["runEnded"], LiveRun>();

  /** @param path the notebook's, without links */
  private constructor(feed: NotebookFeed, path: string, feeds: PageFeeds, onChange: () => void) {
    this.#feed = feed;
    this.#onChange = onChange;
    this.#stopWatching = feeds.watchNotebooks((execution, session) => {
      const { notebook } = execution;
      if (notebook?.path === path) this.#begin(execution, notebook, session);
    });
  }

  static async watch(feed: NotebookFeed, feeds: PageFeeds, onChange: () => void): Promise<LiveCells> {
    const { path } = feed.place;
    return new LiveCells(feed, await realpath(path).catch(() => path), feeds, onChange);
  }

  /** The cells that run, and those that come after them. */
  get runs(): readonly NotebookCellRun[] {
    return [...this.#runs.values()].flatMap((run) => {
      const from = run.state === "ended" ? run.position + 1 : run.position;
      return run.cells.slice(from).flatMap((cell, place): readonly NotebookCellRun[] => {
        const key = this.#keyOf(cell);
        const isRunning = place === 0 && run.state === "running";
        const state = isRunning ? ("running" as const) : ("queued" as const);
        const { startedAt, question } = isRunning ? run : { startedAt: null, question: null };
        return key === null ? [] : [{ key, by: run.execution.by ?? "granary", state, startedAt, question }];
      });
    });
  }

  /** The outputs so far of a cell that runs; null of all others. */
  outputsOf(key: string): readonly PageOutput[] | null {
    const run = [...this.#runs.values()].find((each) => each.state === "running" && this.#current(each) === key);
    return run === undefined ? null : run.feed.outputsOf(run.execution.id);
  }

  /** False when no cell asks for input. */
  answer(text: string): boolean {
    const asked = [...this.#runs.values()].find(({ execution }) => execution.question !== null);
    asked?.execution.question?.answer(text);
    return asked !== undefined;
  }

  /** Ends all runs of the notebook, with the cells that wait. */
  interrupt(): void {
    for (const { execution } of this.#runs.values()) void (execution.partOf ?? execution).interrupt();
  }

  close(): void {
    this.#stopWatching();
  }

  #begin(execution: Execution, notebook: CellOfNotebook, feed: SessionFeed): void {
    const { runEnded, position } = notebook;
    const before = this.#runs.get(runEnded);
    const cells = before?.cells ?? notebook.cells.map(({ index, cell }) => ({ index, id: cell.id }));
    const { startedAt } = execution;
    const { question } = execution;
    const run: LiveRun = {
      ...{ execution, feed, cells, position, startedAt },
      question: question && { prompt: question.prompt, password: question.password },
      state: startedAt === null ? "queued" : "running",
    };
    this.#runs.set(runEnded, run);
    if (before === undefined) void runEnded.then(() => this.#end(runEnded));
    const stop = feed.read((event) => this.#take(run, event));
    void execution.result.then(stop);
    // A client may have written the cell just before.
    if (this.#current(run) === null) void this.#feed.refresh().then(this.#onChange);
    this.#onChange();
  }

  #end(run: CellOfNotebook["runEnded"]): void {
    this.#runs.delete(run);
    this.#onChange();
  }

  #take(run: LiveRun, event: SessionEvent): void {
    const key = this.#current(run);
    if (key === null) return;
    if (event.type === "cell" && event.cell.id === run.execution.id) this.#move(run, key, event.cell);
    else if ("at" in event || event.type === "clear") {
      if (event.cell === run.execution.id) this.#feed.tell({ ...event, cell: key });
    }
  }

  #move(run: LiveRun, key: string, { state, startedAt, question }: CellHead): void {
    if (state === "queued" || run.state === "ended") return;
    if (state === "running" && run.state === "queued") this.#feed.tell({ type: "clear", cell: key });
    run.state = state === "running" ? "running" : "ended";
    run.startedAt = startedAt;
    run.question = question;
    this.#onChange();
  }

  #current({ cells, position }: LiveRun): string | null {
    const cell = cells[position];
    return cell === undefined ? null : this.#keyOf(cell);
  }

  /** Null while the page has not read the cell yet. */
  #keyOf({ index, id }: LiveRun["cells"][number]): string | null {
    const { notebook, keys } = this.#feed.cells;
    if (id === null) return keys[index] ?? null;
    if (keys.includes(`cell-${id}`)) return `cell-${id}`;
    return keys[notebook.cells.findIndex((cell) => cell.id === id)] ?? null;
  }
}
