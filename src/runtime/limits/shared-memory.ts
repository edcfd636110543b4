import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ownUsage } from "./usage.ts";

const rounds = 2;
/** A child that has not begun its program yet has all the memory of its parent. */
const beforeRoundMs = 30;
/** So much longer than a look the next one waits: the system walks through all pages of the processes. */
const pauseFactor = 10;
const longestPauseMs = 2000;

/** The memory of a kernel's processes, in which a page that several of them have counts once. */
export class SharedMemory {
  readonly #python: number;
  #lastMb = 0;
  /** The memory of each process at that look, summed up. */
  #lastSumMb = 0;
  #nextLookAt = 0;

  constructor(python: number) {
    this.#python = python;
  }

  /**
   * Of these processes, without new ones. Between two looks, all memory that they get counts; beyond the limit, only a look decides.
   * @param sumMb the memory of each process, summed up
   */
  async megabytes(pids: ReadonlySet<number>, sumMb: number, limitMb: number): Promise<number> {
    const atMostMb = this.#lastMb + sumMb - this.#lastSumMb;
    if (performance.now() < this.#nextLookAt && atMostMb <= limitMb) return atMostMb;
    let least = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      await sleep(beforeRoundMs, undefined, { ref: false });
      const began = performance.now();
      // The least of both: a process that ends while we look leaves its pages to others, where they count again.
      least = Math.min(least, await this.#look(pids));
      const pauseMs = Math.min(longestPauseMs, pauseFactor * (performance.now() - began));
      this.#nextLookAt = performance.now() + pauseMs;
    }
    this.#lastMb = least;
    this.#lastSumMb = sumMb;
    return least;
  }

  async #look(pids: ReadonlySet<number>): Promise<number> {
    const each = await Promise.all([...pids].map(memoryOf));
    const sum = (megabytes: (memory: Memory) => number) => each.reduce((total, one) => total + megabytes(one), 0);
    const all = sum(({ shareMb }) => shareMb);
    // Copies for checkpoints and warm interpreters are no processes of the kernel, but have a share of its pages.
    const python = sum(({ pid, wholeMb, privateMb }) => (pid === this.#python ? wholeMb : privateMb));
    return Math.max(all, python) + Math.max(0, ...each.map(({ mappedMb }) => mappedMb));
  }
}

interface Memory {
  readonly pid: number;
  readonly mappedMb: number;
  /** All but what is mapped; the part of that which no other process has; its share, where a page that three have counts a third. */
  readonly wholeMb: number;
  readonly privateMb: number;
  readonly shareMb: number;
}

async function memoryOf(pid: number): Promise<Memory> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "latin1").catch(() => "");
  const { memoryMb: wholeMb, mappedMb } = ownUsage(pid);
  const field = (name: string): number | undefined => {
    const kilobytes = new RegExp(`^${name}: +(\\d+) kB`, "m").exec(text)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  };
  const atMost = (megabytes = wholeMb) => Math.min(wholeMb, Math.max(0, megabytes));
  const dirty = field("Private_Dirty");
  return {
    pid,
    mappedMb,
    wholeMb,
    // Without an answer, all of it: the process may have become that of another user.
    privateMb: atMost(dirty && dirty - mappedMb),
    shareMb: atMost(field("Pss_Anon") ?? field("Pss")),
  };
}
