import type { LineMove } from "./cell-line.ts";

/** For lists of cells: why the effects of one are gone. */
export function sayUndone(by: LineMove): string {
  switch (by) {
    case "undo":
      return "undone";
    case "crash":
      return "undone by a crash";
    case "keep":
      return "undone when a branch was kept";
    case "fork":
      return "undone when this branch began";
    case "restart":
      return "before a restart";
  }
}
