export interface DiffLine {
  readonly kind: " " | "-" | "+";
  readonly line: string;
}

/** What takes more steps than this is told as one large change: nobody reads it line by line. */
const mostSteps = 400;

/** The shortest way from one list of lines to another, after Myers. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return [
    ...tagged(" ", before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...tagged(" ", before.slice(before.length - end)),
  ];
}

function middle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const rounds = walk(before, after);
  if (rounds === null) return [...tagged("-", before), ...tagged("+", after)];
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let steps = rounds.length - 1; steps >= 0; steps--) {
    const reached = rounds[steps] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const cameDown = isFromAbove(reached, diagonal, steps);
    const previous = cameDown ? diagonal + 1 : diagonal - 1;
    const fromX = steps === 0 ? 0 : (reached.get(previous) ?? 0);
    const fromY = steps === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) {
      lines.push({ kind: " ", line: before[--x] as string });
      y--;
    }
    if (steps === 0) break;
    if (cameDown) lines.push({ kind: "+", line: after[--y] as string });
    else lines.push({ kind: "-", line: before[--x] as string });
  }
  return lines.reverse();
}

/** For each number of steps, how far down `before` each diagonal had been reached when it began; null for too many. */
function walk(before: readonly string[], after: readonly string[]): readonly ReadonlyMap<number, number>[] | null {
  const rounds: ReadonlyMap<number, number>[] = [];
  const reached = new Map<number, number>([[1, 0]]);
  for (let steps = 0; steps <= mostSteps; steps++) {
    rounds.push(new Map(reached));
    for (let diagonal = -steps; diagonal <= steps; diagonal += 2) {
      const cameDown = isFromAbove(reached, diagonal, steps);
      let x = cameDown ? (reached.get(diagonal + 1) ?? 0) : (reached.get(diagonal - 1) ?? 0) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      reached.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return rounds;
    }
  }
  return null;
}

function isFromAbove(reached: ReadonlyMap<number, number>, diagonal: number, steps: number): boolean {
  if (diagonal === -steps) return true;
  return diagonal !== steps && (reached.get(diagonal - 1) ?? 0) < (reached.get(diagonal + 1) ?? 0);
}

function tagged(kind: DiffLine["kind"], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((line) => ({ kind, line }));
}
