import type { Execution } from "../execution/execution.ts";
import type { SessionHold } from "../shared-session.ts";
import type { CellQueue, Queued } from "./cell-queue.ts";

interface Hold {
  /** Null for a hold without an execution. */
  readonly work: Execution | null;
  /** The cells that were in the queue first. */
  readonly before: ReadonlySet<Execution>;
}

interface WorkHold extends Hold {
  readonly work: Execution;
}

/** The calls that keep a session between their cells. While one of them is work, cells that are no part of it wait. */
export class Holds {
  #all: readonly Hold[] = [];

  get areNone(): boolean {
    return this.#all.length === 0;
  }

  /** Work that queues its cells one by one. */
  get works(): readonly Execution[] {
    return this.#all.flatMap(({ work }) => work ?? []);
  }

  add(work: Execution | null, queue: CellQueue, onReleased: () => void): SessionHold {
    const before = new Set(queue.all.map(({ execution }) => execution));
    const turn = Promise.all([...before, ...this.works].map(({ result }) => result));
    const hold = { work, before };
    this.#all = [...this.#all, hold];
    return {
      turn,
      [Symbol.dispose]: () => {
        if (!this.#all.includes(hold)) return;
        this.#all = this.#all.filter((other) => other !== hold);
        onReleased();
      },
    };
  }

  mayRun(queued: Queued): boolean {
    const held = this.#first;
    if (held === undefined || !isWork(queued)) return true;
    return queued.options.partOf === held.work || held.before.has(queued.execution);
  }

  /** The work that a new cell would have to wait for. */
  busyWith(queue: CellQueue): Execution | null {
    const held = this.#first;
    const cell = queue.all.find((queued) => isWork(queued) && (held?.before.has(queued.execution) ?? true));
    return cell?.execution ?? held?.work ?? null;
  }

  get #first(): WorkHold | undefined {
    return this.#all.find((hold): hold is WorkHold => hold.work !== null);
  }
}

/** Whether it runs code, and does not only start or end a kernel. */
function isWork({ onlyReset, options }: Queued): boolean {
  return !onlyReset && !options.onlyStarts;
}
