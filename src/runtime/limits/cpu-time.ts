import type { OwnUsage } from "./usage.ts";

interface Account {
  readonly parent: number;
  /** The cell that pays; null for none: what is in front of Python was there before all cells. */
  readonly cell: number | null;
  usage: OwnUsage;
  /** Of Python and of earlier cells' processes, whose time before the cell that runs does not count. */
  before: Pick<OwnUsage, "cpuSeconds" | "childrenSeconds">;
  /** Of children that have ended. Those that their parent waited for are in its `childrenSeconds` as well. */
  endedSeconds: number;
  /** Of children that have ended and that another cell pays for. */
  othersSeconds: number;
}

const nothing = { cpuSeconds: 0, childrenSeconds: 0 };

/** The CPU time of cells. Each pays for Python while it runs, and for the processes that it starts; once another cell begins, their count begins again. */
export class CpuTime {
  readonly #python: number;
  /** By process id and start, because the system uses ids again. */
  #accounts = new Map<string, Account>();
  /** Of processes that have ended, and that no parent can tell about. */
  readonly #ended = new Map<number, number>();
  #cell: number | null = null;

  constructor(python: number) {
    this.#python = python;
  }

  /**
   * The cell that has used most so far.
   * @param cell the one that runs, or ran last; null before the first
   */
  look(
    usages: readonly OwnUsage[],
    cell: number | null,
    isIdle: boolean,
  ): { readonly seconds: number; readonly cell: number | null } {
    this.#settleEnded(usages);
    const living = new Map<number, Account>();
    for (const usage of usages) living.set(usage.pid, this.#accountOf(usage, cell, living));
    const isNewCell = this.#cell !== cell;
    // A pool of workers serves many cells, and none of them pays for all.
    if (isNewCell) this.#ended.clear();
    const accounts = [...living.values()].map((one) => (isNewCell && one.cell !== cell ? fromNowOn(one) : one));
    this.#accounts = new Map(accounts.map((account) => [keyOf(account.usage), account]));
    const python = living.get(this.#python);
    // Counted from the first look at a cell, or at what runs between cells: many cells may begin between two looks.
    if (python !== undefined && (isIdle || isNewCell))
      this.#accounts.set(keyOf(python.usage), { ...fromNowOn(python), cell });
    this.#cell = cell;
    return this.#most();
  }

  #accountOf(usage: OwnUsage, cell: number | null, living: ReadonlyMap<number, Account>): Account {
    const known = this.#accounts.get(keyOf(usage));
    if (known !== undefined) return { ...known, parent: usage.parent, usage };
    // A program in front of Python adopts daemons, and Python starts new processes for every cell.
    const payer = usage.parent === this.#python ? cell : (living.get(usage.parent)?.cell ?? cell);
    return { parent: usage.parent, cell: payer, usage, before: nothing, endedSeconds: 0, othersSeconds: 0 };
  }

  /** The time of a process that has ended goes to its parent, the youngest first: parents may have ended as well. */
  #settleEnded(usages: readonly OwnUsage[]): void {
    const present = new Set(usages.map(keyOf));
    const byPid = new Map([...this.#accounts.values()].map((account) => [account.usage.pid, account]));
    const ended = [...this.#accounts].filter(([key]) => !present.has(key)).map(([, account]) => account);
    for (const account of ended.sort((one, other) => other.usage.startedAt - one.usage.startedAt)) {
      const parent = byPid.get(account.parent);
      if (parent !== undefined && parent.cell === account.cell) parent.endedSeconds += secondsOf(account);
      else {
        if (parent !== undefined)
          parent.othersSeconds +=
            account.usage.cpuSeconds + Math.max(account.usage.childrenSeconds, account.endedSeconds);
        if (account.cell !== null)
          this.#ended.set(account.cell, (this.#ended.get(account.cell) ?? 0) + secondsOf(account));
      }
    }
  }

  #most(): { readonly seconds: number; readonly cell: number | null } {
    const totals = new Map<number, number>();
    for (const account of this.#accounts.values())
      if (account.cell !== null) totals.set(account.cell, (totals.get(account.cell) ?? 0) + secondsOf(account));
    let most: { seconds: number; cell: number | null } = { seconds: 0, cell: this.#cell };
    for (const [cell, seconds] of this.#ended) {
      // A cell of which nothing is left cannot use more.
      if (cell !== this.#cell && !totals.has(cell)) this.#ended.delete(cell);
      else totals.set(cell, (totals.get(cell) ?? 0) + seconds);
    }
    for (const [cell, seconds] of totals) if (seconds > most.seconds) most = { seconds, cell };
    return most;
  }
}

function fromNowOn(account: Account): Account {
  return { ...account, before: account.usage, endedSeconds: 0, othersSeconds: 0 };
}

function secondsOf({ usage, before, endedSeconds, othersSeconds }: Account): number {
  const ofChildren = usage.childrenSeconds - before.childrenSeconds - othersSeconds;
  return Math.max(0, usage.cpuSeconds - before.cpuSeconds) + Math.max(0, ofChildren, endedSeconds);
}

function keyOf({ pid, startedAt }: OwnUsage): string {
  return `${pid} ${startedAt}`;
}
