import { type DiffLine, diffLines } from "./diff-lines.ts";

const contextLines = 3;

/** What changed between two texts, as `diff -u` has it, without the two lines that name files. */
export function unifiedDiff(before: string, after: string): string {
  const lines = diffLines(linesOf(before), linesOf(after));
  return hunksOf(lines).map(textOf).join("");
}

/** Where in the new text each change begins, from 1. */
export function changedLines(diff: string): readonly number[] {
  const places: number[] = [];
  let line = 0;
  let isInChange = false;
  for (const text of diff.split("\n")) {
    if (text.startsWith("\\")) continue;
    const [, start] = /^@@ -\S+ \+(\d+)/.exec(text) ?? [];
    const isChange = text.startsWith("-") || text.startsWith("+");
    if (isChange && !isInChange) places.push(line);
    isInChange = isChange;
    if (start !== undefined) line = Number(start);
    else if (!text.startsWith("-")) line++;
  }
  return places;
}

/** With their ends. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

interface Hunk {
  /** How many lines come before it, in the old text and in the new one. */
  readonly before: { readonly old: number; readonly new: number };
  readonly lines: readonly DiffLine[];
}

function hunksOf(lines: readonly DiffLine[]): readonly Hunk[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === " " ? [] : [index]));
  const hunks: Hunk[] = [];
  for (let at = 0; at < changed.length; ) {
    let last = at;
    while ((changed[last + 1] ?? Number.POSITIVE_INFINITY) - (changed[last] as number) <= 2 * contextLines + 1) last++;
    const start = Math.max(0, (changed[at] as number) - contextLines);
    const end = Math.min(lines.length, (changed[last] as number) + contextLines + 1);
    hunks.push({ before: countOf(lines.slice(0, start)), lines: lines.slice(start, end) });
    at = last + 1;
  }
  return hunks;
}

function textOf({ before, lines }: Hunk): string {
  const count = countOf(lines);
  const head = `@@ -${place(before.old, count.old)} +${place(before.new, count.new)} @@\n`;
  return (
    head + lines.map(({ kind, line }) => `${kind}${line.endsWith("\n") ? line : `${line}\n${noNewline}`}`).join("")
  );
}

const noNewline = "\\ No newline at end of file\n";

/** Where nothing is, it is the line before that counts. */
function place(before: number, count: number): string {
  const first = count === 0 ? before : before + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}

function countOf(lines: readonly DiffLine[]): { readonly old: number; readonly new: number } {
  return {
    old: lines.filter(({ kind }) => kind !== "+").length,
    new: lines.filter(({ kind }) => kind !== "-").length,
  };
}
