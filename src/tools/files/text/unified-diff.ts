import { formatPatch, OMIT_HEADERS, type StructuredPatch, structuredPatch } from "diff";

/** A diff that takes more steps is reported as one large change: it is too long to read line by line. */
const mostSteps = 400;

/** The difference of two texts in the format of `diff -u`, without the two lines that name files. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return "";
  const context = 3;
  const options = { context, maxEditLength: mostSteps };
  const patch = structuredPatch("", "", before, after, undefined, undefined, options);
  return formatPatch(patch ?? wholeChange(before, after), OMIT_HEADERS);
}

function wholeChange(before: string, after: string): StructuredPatch {
  const [removed, added] = [patchLines("-", before), patchLines("+", after)];
  const hunk = {
    oldStart: 1,
    oldLines: removed.count,
    newStart: 1,
    newLines: added.count,
    lines: [...removed.lines, ...added.lines],
  };
  return { oldFileName: "", newFileName: "", oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

function patchLines(mark: "-" | "+", text: string): { readonly lines: readonly string[]; readonly count: number } {
  const lines = text.split("\n");
  const isEnded = lines.at(-1) === "";
  if (isEnded) lines.pop();
  const marked = lines.map((line) => mark + line);
  return { lines: isEnded ? marked : [...marked, "\\ No newline at end of file"], count: marked.length };
}

/** The line in the new text where each change begins, from 1. Pure deletions have none, unless there are no other changes. */
export function changedLines(diff: string): readonly number[] {
  const places: number[] = [];
  const additions = new Set<number>();
  let line = 0;
  let isInChange = false;
  for (const text of diff.split("\n")) {
    if (text.startsWith("\\")) continue;
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(text) ?? [];
    const isChange = text.startsWith("-") || text.startsWith("+");
    if (isChange && !isInChange) places.push(line);
    if (text.startsWith("+")) additions.add(places.at(-1) as number);
    isInChange = isChange;
    if (start !== undefined) line = Number(start);
    else if (!text.startsWith("-")) line++;
  }
  return additions.size === 0 ? places : places.filter((place) => additions.has(place));
}
