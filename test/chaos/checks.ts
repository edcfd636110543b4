import { untrueLedgers } from "./ledger-check.ts";
import type { Asked, Counted, Entry, Mark, Settled } from "./log.ts";

/** Most cells that may fail after a fault before one works. */
export const mostAttempts = 3;

type Check = (log: readonly Entry[]) => readonly string[];

/** Each returns a sentence for every violation. */
export const checks: Readonly<Record<string, Check>> = {
  settledOnce,
  ranAtMostOnce,
  trueStatuses,
  trueOutputs,
  untrueLedgers,
  worksAgain,
  backToStart,
  noCrash,
};

export function violations(log: readonly Entry[]): readonly string[] {
  return Object.entries(checks).flatMap(([name, check]) => check(log).map((sentence) => `${name}: ${sentence}`));
}

function settledOnce(log: readonly Entry[]): readonly string[] {
  const settled = byId(ofType(log, "settled"));
  return ofType(log, "asked").flatMap(({ id }) => {
    const ends = settled.get(id) ?? [];
    if (ends.length !== 1) return [`${id} settled ${ends.length} times`];
    const overs = ends[0]?.overs;
    return overs === null || overs === 1 ? [] : [`the events of ${id} said ${overs} times that it is over`];
  });
}

function ranAtMostOnce(log: readonly Entry[]): readonly string[] {
  const marks = byId(ofType(log, "mark"));
  return ofType(log, "settled").flatMap(({ id, attempts }) => {
    const began = countOf(marks, id, "begin");
    const most = attempts ?? 1;
    return began > Math.min(1, most) ? [`${id} ran ${began} times, and Granary counted ${most}`] : [];
  });
}

/** What Granary claims about a cell agrees with what the cell did. */
function trueStatuses(log: readonly Entry[]): readonly string[] {
  const marks = byId(ofType(log, "mark"));
  const asked = new Map(ofType(log, "asked").map((entry) => [entry.id, entry]));
  const faults = ofType(log, "fault");
  return ofType(log, "settled").flatMap((claim) => {
    const cell = asked.get(claim.id);
    if (cell === undefined) return [`${claim.id} settled, and nobody asked for it`];
    const why = lie(claim, cell, (what) => countOf(marks, claim.id, what));
    if (why !== null) return [`${claim.id} (${cell.kind}) is ${claim.status}, ${why}`];
    const needsFault = claim.status === "cancelled" || (claim.status === "failed" && cell.kind !== "exit");
    const hadFault = faults.some(({ step }) => step === cell.step);
    return needsFault && !hadFault ? [`${claim.id} is ${claim.status} (${claim.code}) without a fault`] : [];
  });
}

const endsByItself = new Set(["count", "print", "nap", "spin", "child", "thread", "flood"]);

function lie(claim: Settled, cell: Asked, count: (what: Mark["what"]) => number): string | null {
  switch (claim.status) {
    case "ok":
      if (!endsByItself.has(cell.kind)) return "but cannot end well";
      return count("begin") === 1 && count("end") === 1 ? null : "but did not run from beginning to end";
    case "error":
      if (cell.kind !== "raise") return `but raises nothing: ${claim.error}`;
      return claim.error === cell.id && count("begin") === 1 ? null : `but with the error ${claim.error}`;
    case "timeout":
      return cell.hasTimeout ? null : "but has no timeout";
    case "cancelled":
      return null;
    case "failed":
      return claim.code === null ? "without a code" : null;
    default:
      return "which is no status of a cell";
  }
}

function trueOutputs(log: readonly Entry[]): readonly string[] {
  const asked = new Map(ofType(log, "asked").map((entry) => [entry.id, entry]));
  return ofType(log, "settled").flatMap(({ id, status, output, totalBytes }) => {
    const cell = asked.get(id);
    if (status !== "ok" || cell === undefined) return [];
    const begins = cell.expected === null || output.startsWith(`${cell.expected}trail `);
    const isWhole = begins && output.endsWith(` ${id}\n`) && (totalBytes ?? cell.leastBytes) >= cell.leastBytes;
    return isWhole ? [] : [`${id} (${cell.kind}) printed ${JSON.stringify(output.slice(0, 200))}`];
  });
}

function worksAgain(log: readonly Entry[]): readonly string[] {
  return ofType(log, "recovery")
    .filter(({ works, attempts }) => !works || attempts > mostAttempts)
    .map(({ step, session, attempts }) => `after step ${step}, session ${session} failed ${attempts} times`);
}

function backToStart(log: readonly Entry[]): readonly string[] {
  const [start] = ofType(log, "counted").filter(({ when }) => when === "start");
  const ends = ofType(log, "counted").filter(({ when }) => when === "end");
  if (start === undefined || ends.length === 0) return ["nothing was counted"];
  // Only the first count that has it tells of a thing that stays.
  return ends.flatMap((end, index) => leftover(both(start, ends[index - 1] ?? start), end));
}

const countedThings = ["processes", "descriptors", "files"] as const;

/** What there is more of than at the start. */
export function leftover(start: Counted, end: Counted): readonly string[] {
  return countedThings.flatMap((what) => {
    const more = additional(end[what], start[what]);
    return more.length === 0 ? [] : [`after step ${end.step} there are more ${what}: ${more.slice(0, 5).join(", ")}`];
  });
}

function both(one: Counted, other: Counted): Counted {
  const union = (what: (typeof countedThings)[number]) => [...one[what], ...additional(other[what], one[what])];
  return { ...one, processes: union("processes"), descriptors: union("descriptors"), files: union("files") };
}

/** Those of the first that are not in the second, counting equal ones. */
function additional(some: readonly string[], known: readonly string[]): readonly string[] {
  const left = [...known];
  return some.filter((one) => {
    const found = left.indexOf(one);
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
}

function noCrash(log: readonly Entry[]): readonly string[] {
  return ofType(log, "crashed").map(({ step, what }) => `in step ${step}: ${what}`);
}

function ofType<Type extends Entry["type"]>(log: readonly Entry[], type: Type): Extract<Entry, { type: Type }>[] {
  return log.filter((entry): entry is Extract<Entry, { type: Type }> => entry.type === type);
}

function byId<T extends { readonly id: string }>(entries: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const entry of entries) found.set(entry.id, [...(found.get(entry.id) ?? []), entry]);
  return found;
}

function countOf(marks: ReadonlyMap<string, readonly Mark[]>, id: string, what: Mark["what"]): number {
  return (marks.get(id) ?? []).filter((mark) => mark.what === what).length;
}
