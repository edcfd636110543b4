import type {
  NotebookCellRun,
  NotebookEvent,
  PageNotebookCell,
  PageNotebookEdit,
} from "../../../src/hosts/page/api/notebooks.ts";
import type { OpenPage } from "./open-page.ts";

/** Follows a notebook as the browser does. */
export class NotebookReader implements AsyncDisposable {
  readonly seen: NotebookEvent[] = [];
  cells: readonly PageNotebookCell[] = [];
  runs: readonly NotebookCellRun[] = [];
  file = "there";
  readonly #stop = new AbortController();
  readonly #watchers = new Set<() => void>();

  static async open(page: OpenPage, session: string, path: string): Promise<NotebookReader> {
    const reader = new NotebookReader();
    const at = `http://127.0.0.1:${page.port}/page/api/sessions/${encodeURIComponent(session)}/notebook/events`;
    const response = await fetch(`${at}?path=${encodeURIComponent(path)}`, {
      headers: { Authorization: `Bearer ${page.token}` },
      signal: reader.#stop.signal,
    });
    if (!response.ok) throw new Error(await response.text());
    void reader.#read(response).catch(() => {});
    await reader.until(() => reader.seen.some(({ type }) => type === "runs"));
    return reader;
  }

  get sources(): readonly string[] {
    return this.cells.map(({ source }) => source);
  }

  named(key: string): { readonly cell: string; readonly revision: string } {
    const cell = this.cells.find((each) => each.key === key);
    if (cell === undefined) throw new Error(`There is no ${key}.`);
    return { cell: key, revision: cell.revision };
  }

  /** The edit that a browser would send. */
  editOf(key: string, content: string): Extract<PageNotebookEdit, { action: "edit" }> {
    const index = this.cells.findIndex((each) => each.key === key);
    const cellType = this.cells[index]?.type as "code";
    return { action: "edit", ...this.named(key), content, cellType, after: this.cells[index - 1]?.key ?? null };
  }

  /** The cells that the last change of cells named. */
  get lastChanged(): readonly PageNotebookCell[] {
    const last = this.seen.findLast((event) => event.type === "change");
    return last?.type === "change" ? last.cells : [];
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
  }

  async #read({ body }: Response): Promise<void> {
    let rest = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (rest + chunk).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) if (block.startsWith("data: ")) this.#take(JSON.parse(block.slice(6)));
      for (const resolve of this.#watchers) resolve();
      this.#watchers.clear();
    }
  }

  #take(event: NotebookEvent): void {
    this.seen.push(event);
    if (event.type === "notebook") this.cells = event.cells;
    if (event.type === "runs") this.runs = event.runs;
    if (event.type === "file") this.file = event.state;
    if (event.type !== "change") return;
    const known = new Map([...this.cells, ...event.cells].map((cell) => [cell.key, cell]));
    this.cells = event.order.map((key) => known.get(key) as PageNotebookCell);
  }
}
