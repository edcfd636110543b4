import { batch, type Signal, signal } from "@preact/signals";
import type { CellHead, PageCell, PageOutput } from "../../api/cells.ts";
import type { SessionEvent } from "../../api/events.ts";
import type { PageSession } from "../../api/sessions.ts";
import { follow } from "../connection/follow.ts";
import { request } from "../connection/request.ts";
import type { KernelMatches } from "../editor/code-editor.ts";
import { inFrames } from "./in-frames.ts";
import { takeOutput } from "./outputs.ts";

/** A cell whose parts change on their own. */
export interface LiveCell {
  readonly id: string;
  readonly head: Signal<CellHead>;
  readonly outputs: Signal<readonly PageOutput[]>;
}

/** The session that the page shows: its facts and its cells, as the server tells them. */
export class OpenSession {
  readonly id: string;
  /** Null before the first answer. */
  readonly facts = signal<PageSession | null>(null);
  readonly cells = signal<readonly LiveCell[]>([]);
  readonly hasEarlier = signal(false);
  /** This browser was too slow for all changes. */
  readonly hasGap = signal(false);
  /** There is no such session. */
  readonly isGone = signal(false);
  readonly #path: string;
  readonly #stop: () => void;

  constructor(id: string) {
    this.id = id;
    this.#path = `sessions/${encodeURIComponent(id)}`;
    const take = inFrames<SessionEvent>((events) => batch(() => events.forEach((event) => void this.#take(event))));
    this.#stop = follow<SessionEvent>(`${this.#path}/events`, take, () => {
      this.isGone.value = true;
    });
  }

  close(): void {
    this.#stop();
  }

  run(code: string): Promise<{ readonly id: string }> {
    return this.post("run", { code });
  }

  /** @param cell the running cell for none */
  interrupt(cell?: string): Promise<void> {
    return this.post("interrupt", cell === undefined ? {} : { cell });
  }

  answer(cell: string, text: string): Promise<void> {
    return this.post("answer", { cell, text });
  }

  stop(): Promise<void> {
    return this.post("stop", {});
  }

  readonly complete = (code: string, cursor: number, signal: AbortSignal): Promise<KernelMatches> =>
    this.post("complete", { code, cursor }, signal);

  readonly inspect = async (code: string, cursor: number): Promise<string | null> =>
    (await this.post<{ readonly text: string | null }>("inspect", { code, cursor })).text;

  async loadEarlier(): Promise<void> {
    const [first] = this.cells.value;
    if (first === undefined) return;
    const { cells, hasEarlier } = await this.get<{ cells: readonly PageCell[]; hasEarlier: boolean }>(
      `cells?before=${encodeURIComponent(first.id)}`,
    );
    batch(() => {
      this.cells.value = [...cells.map(liveCell), ...this.cells.value];
      this.hasEarlier.value = hasEarlier;
    });
  }

  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return request<T>("GET", `${this.#path}/${path}`, undefined, signal);
  }

  post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    return request<T>("POST", `${this.#path}/${path}`, body, signal);
  }

  #take(event: SessionEvent): void {
    switch (event.type) {
      case "snapshot":
        this.facts.value = event.session;
        this.hasEarlier.value = event.hasEarlier;
        this.hasGap.value = event.hasGap;
        this.cells.value = event.cells.map((cell) => this.#renewed(cell));
        return;
      case "session":
        this.facts.value = event.session;
        return;
      case "undone":
        for (const id of event.cells) {
          const known = this.#find(id);
          if (known !== undefined) known.head.value = { ...known.head.value, undone: event.undone };
        }
        return;
      case "cell": {
        const known = this.#find(event.cell.id);
        if (known !== undefined) known.head.value = event.cell;
        else this.cells.value = [...this.cells.value, liveCell({ ...event.cell, outputs: [] })];
        return;
      }
      case "text":
      case "output":
      case "clear": {
        const cell = this.#find(event.cell);
        if (cell !== undefined) takeOutput(cell.outputs, event);
      }
    }
  }

  /** The cell keeps its place on the screen after a reconnection. */
  #renewed(cell: PageCell): LiveCell {
    const known = this.#find(cell.id);
    if (known === undefined) return liveCell(cell);
    const { outputs, ...head } = cell;
    known.head.value = head;
    known.outputs.value = outputs;
    return known;
  }

  /** From the end: nearly all events are about the last cell. */
  #find(id: string): LiveCell | undefined {
    return this.cells.value.findLast((cell) => cell.id === id);
  }
}

function liveCell({ outputs, ...head }: PageCell): LiveCell {
  return { id: head.id, head: signal(head), outputs: signal(outputs) };
}
