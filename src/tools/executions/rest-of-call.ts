import type { Execution } from "../../session/execution/execution.ts";

/** A cell and those that follow it in its call; other work alone. */
export function restOfCall(execution: Execution): readonly Execution[] {
  const cells = [execution];
  for (let { next } = execution; next !== null; next = next.next) cells.push(next);
  return cells;
}
