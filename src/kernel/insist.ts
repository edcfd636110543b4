import { endsWithin } from "../support/process/process-group.ts";

/**
 * How long a cell may clean up after an interrupt before the next one, as parts of the grace period: growing pauses
 * at first. A cell that swallows all of these is then interrupted in quick succession.
 */
const pauses = [0.5, 0.6, 0.7, ...new Array<number>(20).fill(0.05)];

interface Interrupted {
  /** Settles when the cell has ended. */
  readonly over: Promise<void>;
  readonly graceMs: number;
  /**
   * Interrupts the cell for the first time, the second time…; settles when Python has reacted: it has raised
   * `KeyboardInterrupt` in the cell, has cancelled what the cell awaits, or has called the cell's own SIGINT handler.
   */
  readonly interrupt: (attempt: number) => Promise<void>;
}

/** Why Python has to be ended: it did not react for the whole grace period, or the cell caught every attempt. */
export type Resistance = "no reaction" | "all caught";

/** Interrupts a cell until it ends; null when it has ended. */
export async function insist({ over, graceMs, interrupt }: Interrupted): Promise<Resistance | null> {
  for (const [index, pause] of pauses.entries()) {
    const reacted = interrupt(index + 1);
    const isAlive = await endsWithin(Promise.race([over, reacted]), graceMs);
    if (!isAlive) return "no reaction";
    if (await endsWithin(over, graceMs * pause)) return null;
  }
  return "all caught";
}

export function sayResistance(resistance: Resistance, graceMs: number): string {
  return resistance === "no reaction"
    ? `Python did not react to an interrupt for ${graceMs / 1000} s`
    : "The cell caught every interrupt and kept running";
}
