import { batch, type Signal, signal } from "@preact/signals";
import type { PageOutput } from "../../api/cells.ts";
import type {
  NotebookCellRun,
  NotebookEvent,
  PageEditResult,
  PageNotebookCell,
  PageNotebookEdit,
} from "../../api/notebooks.ts";
import { follow } from "../connection/follow.ts";
import { request } from "../connection/request.ts";
import type { KernelMatches } from "../editor/code-editor.ts";
import { inFrames } from "../state/in-frames.ts";
import { takeOutput } from "../state/outputs.ts";

type CellFacts = Omit<PageNotebookCell, "outputs">;

/** A cell whose parts change on their own. */
export interface ShownCell {
  readonly key: string;
  readonly facts: Signal<CellFacts>;
  readonly outputs: Signal<readonly PageOutput[]>;
  readonly run: Signal<NotebookCellRun | null>;
  /** Another program changed it, and the reader has not seen that yet. */
  readonly isChanged: Signal<boolean>;
}

/** After a run, its outputs come in a moment. */
const ownRunMs = 3000;

/** The notebook that the page shows, as it is in the file. */
export class ShownNotebook {
  readonly session: string;
  readonly path: string;
  readonly folder = signal<{ readonly name: string; readonly folder: string } | null>(null);
  /** Null before the first answer. */
  readonly cells = signal<readonly ShownCell[] | null>(null);
  readonly file = signal<Extract<NotebookEvent, { type: "file" }> | null>(null);
  readonly isRunning = signal(false);
  /** A sentence for the reader, with a way back if there is one. */
  readonly message = signal<{ readonly text: string; readonly undo?: () => Promise<unknown> } | null>(null);
  /** Why there is nothing to show. */
  readonly problem = signal<string | null>(null);
  readonly #tab = crypto.randomUUID();
  /** The address of the session. */
  readonly #session: string;
  readonly #stop: () => void;
  readonly #ranHere = new Map<string, number>();
  #turn: Promise<void> = Promise.resolve();

  constructor(session: string, path: string) {
    this.session = session;
    this.path = path;
    this.#session = `sessions/${encodeURIComponent(session)}`;
    const events = `${this.#session}/notebook/events?path=${encodeURIComponent(path)}`;
    const take = inFrames<NotebookEvent>((all) => batch(() => all.forEach((event) => void this.#take(event))));
    this.#stop = follow<NotebookEvent>(events, take, () => void this.#explain(events));
  }

  close(): void {
    this.#stop();
  }

  cell(key: string): ShownCell | undefined {
    return this.cells.value?.find((cell) => cell.key === key);
  }

  /** The key of the cell before; null for none. */
  before(key: string): string | null {
    const cells = this.cells.value ?? [];
    return cells[cells.findIndex((cell) => cell.key === key) - 1]?.key ?? null;
  }

  edit(edit: PageNotebookEdit): Promise<PageEditResult> {
    return this.#post<PageEditResult>("edit", { ...edit, tab: this.#tab });
  }

  /** An edit that the reader hears of only if it fails. */
  async attempt(edit: PageNotebookEdit): Promise<PageEditResult | null> {
    try {
      return await this.edit(edit);
    } catch (error) {
      this.message.value = { text: (error as Error).message };
      return null;
    }
  }

  /** Requests may overtake each other on their way; runs may not. */
  inOrder(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** All cells for nothing. */
  run(what: { readonly cells?: readonly string[]; readonly from?: string } = {}): Promise<void> {
    return this.#report(this.#post("run", what));
  }

  interrupt(): Promise<void> {
    return this.#report(this.#post("interrupt", {}));
  }

  answer(text: string): Promise<void> {
    return this.#report(this.#post("answer", { text }));
  }

  saveAgain(): Promise<void> {
    return this.#report(this.#post("save-again", {}));
  }

  /** Deletes a cell; the message has a way back. */
  async remove(cell: ShownCell): Promise<void> {
    const { revision } = cell.facts.value;
    const after = this.before(cell.key);
    const done = await this.attempt({ action: "delete", cell: cell.key, revision });
    if (done === null) return;
    const undo = (): Promise<unknown> => this.attempt({ action: "put-back", cell: cell.key, after });
    this.message.value = { text: "Deleted a cell.", undo };
  }

  /** Takes back the last deletion, if there was one. */
  async undo(): Promise<void> {
    const { undo } = this.message.peek() ?? {};
    if (undo === undefined) return;
    this.message.value = null;
    await undo();
  }

  readonly complete = (code: string, cursor: number, signal: AbortSignal): Promise<KernelMatches> =>
    request("POST", `${this.#session}/complete`, { code, cursor }, signal);

  readonly inspect = async (code: string, cursor: number): Promise<string | null> =>
    (await request<{ readonly text: string | null }>("POST", `${this.#session}/inspect`, { code, cursor })).text;

  #post<T>(name: string, body: object): Promise<T> {
    return request<T>("POST", `${this.#session}/notebook/${name}`, { path: this.path, ...body });
  }

  #report(done: Promise<unknown>): Promise<void> {
    return done.then(
      () => {},
      (error: Error) => {
        this.message.value = { text: error.message };
      },
    );
  }

  async #explain(events: string): Promise<void> {
    const problem = await request("GET", events, undefined, AbortSignal.timeout(5000)).catch((error: Error) => error);
    this.problem.value = problem instanceof Error ? problem.message : "This notebook cannot be shown.";
  }

  #take(event: NotebookEvent): void {
    switch (event.type) {
      case "notebook":
        this.folder.value = event.session;
        this.cells.value = event.cells.map((cell) => this.#renewed(cell));
        return;
      case "change": {
        const changed = new Map(event.cells.map((cell) => [cell.key, cell]));
        const known = new Map(this.cells.value?.map((cell) => [cell.key, cell]));
        this.cells.value = event.order.flatMap((key) => {
          const cell = changed.get(key);
          const shown = cell === undefined ? known.get(key) : this.#updated(cell, event.by !== this.#tab);
          return shown === undefined ? [] : [shown];
        });
        return;
      }
      case "file":
        this.file.value = event;
        return;
      case "runs":
        return this.#takeRuns(event.runs);
      case "message":
        this.message.value = { text: event.text };
        return;
      default: {
        const cell = this.cell(event.cell);
        if (cell !== undefined) takeOutput(cell.outputs, event);
      }
    }
  }

  #takeRuns(runs: readonly NotebookCellRun[]): void {
    this.isRunning.value = runs.length > 0;
    const byKey = new Map(runs.map((run) => [run.key, run]));
    for (const cell of this.cells.value ?? []) {
      const before = cell.run.value;
      const run = byKey.get(cell.key) ?? null;
      if ((run ?? before)?.by === "page") this.#ranHere.set(cell.key, Date.now());
      // Its outputs are new, and a moment later in the file.
      else if (before?.state === "running" && run === null) cell.isChanged.value = true;
      if (!isSameRun(before, run)) cell.run.value = run;
    }
  }

  /** After a reconnection, when all cells come again. */
  #renewed(cell: PageNotebookCell): ShownCell {
    const known = this.cell(cell.key)?.facts.value;
    const isSame = known?.revision === cell.revision && known.count === cell.count;
    return this.#updated(cell, this.cells.value !== null && !isSame);
  }

  /** The cell keeps its place on the screen. */
  #updated({ outputs, ...facts }: PageNotebookCell, isByOthers: boolean): ShownCell {
    const known = this.cell(facts.key);
    if (known === undefined) {
      return {
        ...{ key: facts.key, facts: signal(facts), outputs: signal(outputs), run: signal(null) },
        isChanged: signal(isByOthers),
      };
    }
    const isEdited = known.facts.value.revision !== facts.revision;
    const isOwnRun = Date.now() - (this.#ranHere.get(facts.key) ?? 0) < ownRunMs;
    if (isByOthers && (isEdited || !isOwnRun)) known.isChanged.value = true;
    known.facts.value = facts;
    known.outputs.value = outputs;
    return known;
  }
}

function isSameRun(one: NotebookCellRun | null, other: NotebookCellRun | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
