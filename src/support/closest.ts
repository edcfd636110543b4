/** The candidate that a typo most likely meant; null when none is close. */
export function closest(typed: string, candidates: readonly string[]): string | null {
  const byDistance = candidates
    .map((candidate) => ({ candidate, distance: editDistance(typed, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const best = byDistance[0];
  if (best === undefined) return null;
  // Of a single letter, one mistake leaves nothing; but it may have been written larger or smaller.
  const hasSomethingInCommon = best.distance < typed.length || best.candidate.toLowerCase() === typed.toLowerCase();
  return hasSomethingInCommon && best.distance <= Math.max(1, typed.length / 3) ? best.candidate : null;
}

/** The edit distance: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(from.length, to.length);
}
