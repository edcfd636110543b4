/**
 * Which of more checkpoints than wanted is missed least: the newer half is kept, and of the rest, the older the fewer.
 * @param cells after how many cells each was made, the oldest first
 * @returns its index
 */
export function leastMissed(cells: readonly number[]): number {
  const newest = cells.at(-1) ?? 0;
  const kept = Math.floor(cells.length / 2);
  const missing = cells.slice(0, -kept).map((cell, index) => {
    const gap = (cells[index + 1] ?? newest) - (cells[index - 1] ?? -1);
    return gap / (newest - cell + 1);
  });
  return missing.indexOf(Math.min(...missing));
}
