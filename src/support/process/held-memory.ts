import { readFile } from "node:fs/promises";

/** In bytes. */
export interface MemoryUse {
  /** All of it, shared or not. */
  readonly resident: number;
  /** The part that would be free without this process. */
  readonly own: number;
  /** Its share of everything: a page that three processes have counts a third. */
  readonly share: number;
}

/** The memory of a process; null where the system does not tell, or the process is gone. */
export async function memoryUse(pid: number): Promise<MemoryUse | null> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "latin1").catch(() => "");
  const field = (name: string): number => 1024 * Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
  if (text === "") return null;
  return { resident: field("Rss"), own: field("Private_Clean") + field("Private_Dirty"), share: field("Pss") };
}

/**
 * The memory that would be free without the copies of a process. A page that only copies have, each of them its share, belongs to
 * none of them alone.
 */
export function heldByCopies(original: MemoryUse | null, copies: readonly MemoryUse[]): number {
  const shares = copies.reduce((sum, { share }) => sum + share, original?.share ?? 0);
  return Math.max(0, shares - (original?.resident ?? 0));
}
