import type { Cell } from "../../notebook/cell.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { sayCount } from "../../output/say-size.ts";
import { isAsItWasRun } from "./execution-times.ts";

/** Something that makes a reader of a notebook believe what is not so. */
interface Finding {
  readonly type: "never-run" | "edited" | "out-of-order";
  readonly index: number;
  readonly id: string | null;
  readonly message: string;
}

export interface NotebookCheck {
  readonly findings: readonly Finding[];
  /** How many cells another program has run: whether they were edited since, nobody can know. */
  readonly unknown: number;
}

/** Whether what a notebook shows is what its code would show, as far as that can be seen without running it. */
export function checkNotebook({ cells }: Notebook): NotebookCheck {
  const findings: Finding[] = [];
  let unknown = 0;
  let highest: Numbered | null = null;
  for (const [index, cell] of cells.entries()) {
    if (!isToBeRun(cell)) continue;
    const { id, executionCount: count } = cell;
    const find = (type: Finding["type"], message: string) => findings.push({ type, index, id, message });
    if (count === null) {
      find("never-run", `Cell ${index} was never run.`);
      continue;
    }
    const isAsRun = isAsItWasRun(cell);
    if (isAsRun === null) unknown += 1;
    if (isAsRun === false) find("edited", `Cell ${index} was edited after it was run: its output is of other code.`);
    if (highest === null || count > highest.count) highest = { count, index };
    else find("out-of-order", outOfOrder({ count, index }, highest));
  }
  return { findings, unknown };
}

interface Numbered {
  readonly count: number;
  readonly index: number;
}

/** A kernel gives each number once. */
function outOfOrder(cell: Numbered, earlier: Numbered): string {
  return cell.count === earlier.count
    ? `Cell ${cell.index} and cell ${earlier.index} have the same number, [${cell.count}]: they were run in different kernels.`
    : `Cell ${cell.index} was run before cell ${earlier.index} ([${cell.count}] before [${earlier.count}]).`;
}

/** What was found, a line for each. */
export function sayCheck({ findings, unknown }: NotebookCheck, name: string): string {
  const found = findings.map(({ message }) => message);
  const lines = found.length === 0 ? [`${name} was run from top to bottom.`] : found;
  if (unknown > 0) lines.push(`${sayCount(unknown, "cell")} ${unknown === 1 ? "was" : "were"} ${runElsewhere}`);
  return lines.join("\n");
}

const runElsewhere = "run by another program, so whether the code was edited since cannot be known.";

function isToBeRun(cell: Cell): boolean {
  return cell.type === "code" && cell.source.trim() !== "" && !cell.tags.includes("skip-execution");
}
