import { sayCount } from "../../../support/say-count.ts";
import type { Finding, NotebookCheck } from "./check-notebook.ts";

/** The findings, a line for each; or a sentence about a notebook without findings. */
export function sayCheck(check: NotebookCheck, name: string): string {
  const { findings, unknown } = check;
  const lines = findings.length === 0 ? [sayNothingFound(check, name)] : sayFindings(findings);
  if (unknown > 0) lines.push(`${sayCount(unknown, "cell")} ${unknown === 1 ? "has" : "have"} ${noNotes}`);
  return lines.join("\n");
}

/** A gap in the notes: who ran the cells. */
const noNotes =
  "no notes of a run, which another program or run --no-times does not write: " +
  "whether the code was edited since cannot be known.";

function sayNothingFound({ verdict, cells, missingNumbers }: NotebookCheck, name: string): string {
  if (cells === 0) return `${name} has no code to run.`;
  const [first] = missingNumbers;
  if (verdict === "current") {
    const other = first === undefined ? "" : `, in a kernel that also ran other code (${sayNumbers(first)})`;
    return `${name} was run from top to bottom${other}.`;
  }
  if (first === undefined) return `The numbers of the cells in ${name} are those of a run from top to bottom.`;
  return (
    `Cannot tell whether ${name} was run from top to bottom: no cell has ${sayNumbers(first)}. ` +
    "A cell was deleted, edited or run again, or other code ran in its kernel."
  );
}

function sayNumbers([from, to]: readonly [from: number, to: number]): string {
  return from === to ? `[${from}]` : `[${from}] to [${to}]`;
}

/** Cells that are stale for the same reason share a line. */
function sayFindings(findings: readonly Finding[]): string[] {
  const lines: string[] = [];
  const told = new Set<string>();
  for (const { why, message } of findings) {
    if (why === null) lines.push(message);
    if (why === null || told.has(why)) continue;
    told.add(why);
    const indexes = findings.filter((finding) => finding.why === why).map(({ index }) => index);
    lines.push(indexes.length === 1 ? message : `Cells ${sayIndexes(indexes)} are stale: ${why}.`);
  }
  return lines;
}

/** `3 to 5 and 8` */
function sayIndexes(indexes: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const index of indexes) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else runs.push([index, index]);
  }
  const words = runs.map(([from, to]) =>
    from === to ? `${from}` : from + 1 === to ? `${from}, ${to}` : `${from} to ${to}`,
  );
  return words.join(", ").replace(/, (?=[^,]*$)/, " and ");
}
