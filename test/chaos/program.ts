import type { ChaosCell } from "./cells.ts";
import type { CellKind } from "./log.ts";
import { SeededRandom } from "./random.ts";
import { faultsOf, type WorldName } from "./worlds.ts";

export interface Fault {
  readonly kind: string;
  readonly session: string;
  /** Strikes when so many cells of the step have begun, and some milliseconds later. */
  readonly afterBegun: number;
  readonly delayMs: number;
  /** How long it lasts, for faults that end. */
  readonly holdMs: number;
  readonly signal: "SIGKILL" | "SIGTERM" | "SIGSEGV" | "SIGABRT";
}

export interface Step {
  readonly number: number;
  readonly cells: readonly ChaosCell[];
  readonly fault: Fault;
}

/** Some steps with the same kernels; then everything is closed and counted. */
export interface Block {
  readonly steps: readonly Step[];
  readonly maxSessions: number;
}

const sessions = ["a", "b", "c"];
const kinds: readonly CellKind[] = [
  ...(["count", "count", "print", "print", "raise", "raise", "nap", "nap", "nap", "nap", "spin", "spin"] as const),
  ...(["thread", "thread", "flood", "flood", "endless", "stubborn", "exit", "child"] as const),
];

/** The whole program of a run: the same for the same seed. */
export function programFor(world: WorldName, seed: number, steps: number, stepsPerBlock = 12): readonly Block[] {
  const random = new SeededRandom(seed);
  const blocks: Block[] = [];
  for (let done = 0; done < steps; ) {
    const count = Math.min(stepsPerBlock, steps - done);
    const from = done;
    const maxSessions = random.pick([2, 4]);
    blocks.push({ maxSessions, steps: Array.from({ length: count }, (_, n) => step(world, random, from + n)) });
    done += count;
  }
  return blocks;
}

function step(world: WorldName, random: SeededRandom, number: number): Step {
  const cells = Array.from({ length: random.between(5, 9) }, (_, index) => cell(world, random, `s${number}c${index}`));
  const fault: Fault = {
    kind: random.pick(faultsOf(world)),
    session: random.pick(sessions),
    afterBegun: random.between(0, 3),
    delayMs: random.between(0, 40),
    holdMs: random.between(20, 300),
    signal: random.pick(["SIGKILL", "SIGKILL", "SIGTERM", "SIGSEGV", "SIGABRT"]),
  };
  return { number, cells, fault };
}

function cell(world: WorldName, random: SeededRandom, id: string): ChaosCell {
  const kind = random.pick(kinds);
  const needsStop = kind === "endless" || kind === "stubborn";
  return {
    id,
    kind,
    session: random.pick(sessions),
    amount: random.between(1, 80),
    // Docs: kernels of the gateway are that process's children.
    leaves: world !== "gateway",
    timeoutMs: needsStop || random.chance(0.1) ? random.between(30, 100) : null,
    reader: random.pick(["quick", "quick", "slow", "stuck"]),
  };
}

export const allSessions: readonly string[] = sessions;
