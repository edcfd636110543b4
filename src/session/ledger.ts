import type { RestoredState } from "../kernel/kernel.ts";

/** The state of Python's variables, part of every result. */
export interface Ledger {
  /** Which kernel of the session this is, from 1; 0 when there never was one. */
  readonly generation: number;
  /**
   * `alive`: variables are as the cells before left them. `interrupted`: so they are, but this cell was stopped midway.
   * `restarted`: the kernel is another than before this cell, and what earlier cells had made is gone. `restored`: the kernel is
   * another, and variables are as they were after cell `restoredTo`. `lost`: there is no kernel any more, and everything is gone.
   */
  readonly state: "alive" | "interrupted" | "restarted" | "restored" | "lost";
  /** Why state was lost or the cell stopped; null when all is well. */
  readonly reason: string | null;
  /** Only when `restored`: the number of the last cell whose effects are there. */
  readonly restoredTo?: number;
  /** Why there is no checkpoint right before this cell; missing when there is one, or none was wanted. */
  readonly noCheckpoint?: string;
}

/** The last report to an owner of a session: another owner may have had its kernel replaced since. */
export interface SeenGeneration {
  generation: number;
  /** The last kernel whose loss a result has reported; 0 for none. */
  lost: number;
  /** The number of the session's last cell at the owner's last call; null before the first. */
  cells: number | null;
}

export const nothingSeen: Readonly<SeenGeneration> = { generation: 0, lost: 0, cells: null };

/** Facts about a session's kernels. */
export interface Kernels {
  readonly isAlive: boolean;
  readonly generation: number;
  /** Why the last one is gone; null while it lives. */
  readonly whyGone: string | null;
  /** Why the one before the last is gone; null when there was none. */
  readonly whyReplaced: string | null;
  /** Why that one and those after it are gone, in order. */
  whyReplacedSince(generation: number): readonly string[];
  /** The state that the living one began with; null when it was fresh. */
  readonly restored: RestoredState | null;
  /** Why there is no checkpoint right before the last cell; null when there is one, or none was wanted. */
  readonly whyNoCheckpoint: string | null;
}

/** The fate of one cell, apart from its output. */
export interface Fate {
  /** The cell got a kernel that was started for it. */
  readonly isFirst: boolean;
  /** The cell had begun and was stopped midway, for this reason; null when it was not. */
  readonly whyStopped: string | null;
}

/** Longer stories are cut at their beginning. */
const mostReasons = 5;

/** The reason when a kernel was only for one call, which needs no warning. */
export const endOfCall = "Every call has a kernel of its own (python.kernelMode is per-call).";

/** The state of Python after a cell. A restart that the owner already knows is not reported again. */
export function takeStock(kernels: Kernels, seen: SeenGeneration, fate: Fate): Ledger {
  const ledger = stockOf(kernels, seen, fate);
  const { whyNoCheckpoint } = kernels;
  return whyNoCheckpoint === null ? ledger : { ...ledger, noCheckpoint: whyNoCheckpoint };
}

function stockOf(kernels: Kernels, seen: SeenGeneration, fate: Fate): Ledger {
  const { generation, whyGone, whyReplaced, restored } = kernels;
  const hadAnother = fate.isFirst || (seen.generation > 0 && seen.generation < generation);
  const lastSeen = seen.generation > 0 ? Math.min(seen.generation, generation - 1) : generation - 1;
  seen.generation = generation;
  if (!kernels.isAlive) return { generation, state: "lost", reason: whyGone ?? "No kernel has been started." };
  if (hadAnother && whyReplaced !== null && whyReplaced !== endOfCall) {
    if (restored !== null) {
      const reason = kernels.whyReplacedSince(lastSeen).slice(-mostReasons).join(" ");
      return { generation, state: "restored", reason, restoredTo: restored.count };
    }
    return { generation, state: "restarted", reason: whyReplaced };
  }
  if (fate.whyStopped !== null) return { generation, state: "interrupted", reason: fate.whyStopped };
  return { generation, state: "alive", reason: null };
}

/** Sentences of a result besides its ledger. */
interface Told {
  /** There is no next cell. */
  readonly isClosed: boolean;
  /** Why the cell failed, if a failure of Granary or of the kernel did that. */
  readonly failure: string | null;
  /** Things that did not come back, if the kernel was restored. */
  readonly lost?: readonly string[] | undefined;
  /** Whether the restored kernel had run cells of others before this one. */
  readonly movedOn?: boolean | undefined;
}

/** The sentences that people and models should read when variables are gone: each fact once, in the first result after it. */
export function ledgerNotices(ledger: Ledger, seen: SeenGeneration, told: Told): readonly string[] {
  const { generation, state, reason } = ledger;
  if (reason === endOfCall || reason === null) return [];
  if (state === "restored") return [sayRestored(ledger, told)];
  if (state === "restarted") {
    const isKnown = seen.lost === generation - 1 && seen.lost > 0;
    return isKnown ? [] : [`Python was restarted: ${reason} Earlier variables are gone.`];
  }
  if (state !== "lost" || generation === 0 || seen.lost === generation) return [];
  seen.lost = generation;
  const next = told.isClosed ? "" : "next cell gets a fresh kernel";
  if (told.failure?.includes(reason) && told.failure.includes("variables are gone")) {
    return next === "" ? [] : [`The ${next}.`];
  }
  return [`Python has ended: ${reason} Variables are gone${next && `, and the ${next}`}.`];
}

function sayRestored({ reason, restoredTo = 0 }: Ledger, { failure, lost = [], movedOn = false }: Told): string {
  const what = failure?.includes(reason ?? "") ? "" : `${reason} `;
  const where = restoredTo === 0 ? "before the first cell: Python was started again" : `after cell ${restoredTo}`;
  const missing = lost.length === 0 ? "" : ` Not restored: ${lost.join(", ")}.`;
  const variables = movedOn
    ? `Variables went back to those ${where}, and cells have run since.`
    : `Variables are as they were ${where}.`;
  return `${what}${variables}${missing} Files on disk stay as they are.`;
}
