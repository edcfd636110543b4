import type { ClaimedState, Entry, Settled } from "./log.ts";

/** What is known about the variables of a session: the cells whose effects are there, which `trail` lists. */
interface Known {
  /** These effects are there for certain. */
  trail: readonly string[];
  /** Cells that were stopped midway, since: their effect may be there. */
  maybe: string[];
  /** The variables before the kernel was lost or restored: any beginning of them may be back. */
  past: readonly string[];
  isLost: boolean;
  generation: number;
}

/**
 * Compares each claim about variables with the variables themselves: a successful cell prints the cells whose effects it sees.
 */
export function untrueLedgers(log: readonly Entry[]): readonly string[] {
  const sessions = new Map<string, Known>();
  const sessionOf = new Map<string, string>();
  const found: string[] = [];
  for (const entry of log) {
    if (entry.type === "asked") sessionOf.set(entry.id, entry.session);
    if (entry.type !== "settled" && entry.type !== "moved") continue;
    const session = entry.type === "moved" ? entry.session : (sessionOf.get(entry.id) ?? "");
    const known = sessions.get(session) ?? { trail: [], maybe: [], past: [], isLost: false, generation: 0 };
    sessions.set(session, known);
    if (entry.ledger === null) {
      // The answer was lost with the hub: the cell may have run, and answers of later cells may have arrived.
      if (entry.type === "settled" && entry.status === "failed" && entry.attempts !== 0) known.maybe.push(entry.id);
      continue;
    }
    if (entry.type === "moved") {
      known.generation = Math.max(known.generation, entry.ledger.generation);
      adopt(known, entry.ledger.state);
      continue;
    }
    const before = JSON.stringify(known);
    const why = take(known, entry, entry.ledger);
    if (why !== null) found.push(`${entry.id} in ${session}: ${why}; known before: ${before}`);
  }
  return found;
}

function take(known: Known, claim: Settled, ledger: ClaimedState): string | null {
  const { state, generation } = ledger;
  if (generation < known.generation) return `generation ${generation} after ${known.generation}`;
  const isNew = generation > known.generation && known.generation > 0;
  if (isNew && !["restarted", "restored", "lost"].includes(state)) return `a new kernel, and the ledger says ${state}`;
  known.generation = generation;
  adopt(known, state);
  const mayHaveRun = claim.attempts !== 0;
  if (state === "lost") return null;
  if (claim.status !== "ok") {
    // A crashed cell has no effect on a restored kernel.
    if (mayHaveRun && !(state === "restored" && claim.status === "failed")) known.maybe.push(claim.id);
    return null;
  }
  const trail = trailIn(claim.output);
  if (trail.at(-1) !== claim.id) return `its own effect is missing: ${trail.join(" ")}`;
  const others = trail.slice(0, -1);
  const fits = begins(others, known, state);
  known.trail = trail;
  known.maybe = [];
  known.past = [];
  known.isLost = false;
  return fits ? null : `the ledger says ${state}, and the variables are of ${others.join(" ") || "no cell"}`;
}

function adopt(known: Known, state: string): void {
  if (state === "restarted") Object.assign(known, { trail: [], maybe: [], past: [], isLost: false });
  if (state === "lost" || state === "restored") {
    known.past = [...known.past, ...known.trail, ...known.maybe];
    known.trail = [];
    known.maybe = [];
    known.isLost = state === "lost";
  }
}

/** Whether these effects are possible: those that are certain, and a part of those that are not. */
function begins(others: readonly string[], known: Known, state: string): boolean {
  const rest = others.slice(known.trail.length);
  const hasCertain = known.trail.every((id, index) => others[index] === id);
  if (state === "restored" || known.past.length > 0) {
    return !known.isLost && isPartOf(others, [...known.past, ...known.trail, ...known.maybe]);
  }
  return hasCertain && isPartOf(rest, known.maybe);
}

/** Whether all are among the others, in the same order. */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  let from = 0;
  for (const id of some) {
    const found = all.indexOf(id, from);
    if (found < 0) return false;
    from = found + 1;
  }
  return true;
}

function trailIn(output: string): readonly string[] {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  return line.startsWith("trail ") ? line.slice("trail ".length).split(" ") : [];
}
