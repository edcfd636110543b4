import type { NotebookCell } from "../../../notebook/cell.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { asOutput } from "../../../notebook/output.ts";
import { sayException } from "../../../output/text/say-exception.ts";
import { clearedRun, formerNote, isAsItWasRun, runNote, timesOf } from "./execution-times.ts";
import { byNumber, type Numbered, NumberedCells, numberName, type RanCell } from "./numbered-cells.ts";

/** A place where a notebook misleads its reader. */
export interface Finding {
  /** `cleared`: it was run, and its outputs were deleted. `stale`: the code above the cell is not the code that ran before it. */
  readonly type: "never-run" | "cleared" | "edited" | "error" | "out-of-order" | "stale";
  readonly index: number;
  readonly id: string | null;
  readonly message: string;
  /** Why the cell is stale, without its name; null for the other types. */
  readonly why: string | null;
}

export interface NotebookCheck {
  readonly findings: readonly Finding[];
  /** How many cells ran without a note of their code, such as in another program: later edits of these are unknown. */
  readonly unknown: number;
  /**
   * `current`: the notes show a run from top to bottom of the current code. `stale`: there are findings. `unknown`: there are
   * none, but some cells have no notes.
   */
  readonly verdict: "current" | "stale" | "unknown";
  /** The number of cells to run. */
  readonly cells: number;
  /** Numbers that the kernel gave to no cell of this notebook: it ran other code, or a cell was deleted. */
  readonly missingNumbers: readonly (readonly [from: number, to: number])[];
}

/** Whether the outputs of a notebook match its code, as far as its notes show without a run. */
export function checkNotebook(notebook: Notebook): NotebookCheck {
  const cells = notebook.cells.flatMap((cell, index) => (isToBeRun(cell) ? [ranCell(cell, index)] : []));
  const formerCode = notebook.cells.flatMap((cell, index) => {
    const note = isToBeRun(cell) ? null : formerNote(cell);
    return note === null ? [] : [{ note, index, cell }];
  });
  const others = { above: new NumberedCells(), all: new NumberedCells(), formerCode: byNumber(formerCode) };
  for (const cell of cells) others.all.add(cell);
  const findings: Finding[] = [];
  /** The problem of a cell above, which affects everything below. */
  let inherited: string | null = null;
  for (const ran of cells) {
    const { index, cell, count, note, isAsRun, isCleared } = ran;
    const find = (type: Finding["type"], message: string, why: string | null = null) =>
      findings.push({ type, index, id: cell.id, message, why });
    const exception = exceptionShown(cell);
    const problem = count === null ? null : orderProblem(ran, others);
    others.above.add(ran);

    if (exception !== null) find("error", `Cell ${index} shows an error: ${exception}.`);
    if (count === null) {
      if (exception === null) find("never-run", neverRun(ran));
      inherited ??= `cell ${index} was never run`;
      continue;
    }
    // A cleared cell shows nothing that could be stale.
    if (isCleared && problem?.type !== "never-run") {
      if (isAsRun) find("cleared", `Cell ${index} was cleared after it was run: its outputs are missing.`);
      else find("edited", `Cell ${index} was edited and cleared after it was run.`);
    } else {
      if (isAsRun === false) find("edited", `Cell ${index} was edited after it was run: its output is of other code.`);
      if (problem !== null && problem.why === null) find(problem.type, problem.message);
      else if (problem !== null) find("stale", `Cell ${index} is stale: ${problem.why}.`, problem.why);
      // For cells that ran without notes, the code before them is unknown.
      else if (inherited !== null && note !== null) find("stale", `Cell ${index} is stale: ${inherited}.`, inherited);
    }
    inherited ??= problem?.why ?? (isAsRun === false ? `cell ${index} was edited since` : null);
  }
  const unknown = cells.filter(({ count, isAsRun }) => count !== null && isAsRun === null).length;
  const isShown = cells.every(({ note }) => note !== null);
  const verdict = findings.length > 0 ? "stale" : isShown ? "current" : "unknown";
  return { findings, unknown, verdict, cells: cells.length, missingNumbers: missingNumbers(cells) };
}

function ranCell(cell: NotebookCell, index: number): RanCell {
  const count = cell.executionCount;
  const cleared = clearedRun(cell);
  if (cleared !== null) return { index, cell, count: cleared.note.count, ...cleared, isCleared: true };
  return {
    index,
    cell,
    count,
    note: runNote(cell),
    times: timesOf(cell),
    isAsRun: isAsItWasRun(cell),
    isCleared: false,
  };
}

type OrderProblem =
  | { readonly type: "out-of-order" | "never-run"; readonly message: string; readonly why: null }
  | { readonly type: "stale"; readonly why: string };

interface Others {
  readonly above: NumberedCells;
  readonly all: NumberedCells;
  /** Cells that are no code to be run any more, by their former numbers. */
  readonly formerCode: ReadonlyMap<string, { readonly index: number; readonly cell: NotebookCell }>;
}

/** The problem with the moment at which a cell ran, given the cells above it. */
function orderProblem(ran: RanCell, { above, all, formerCode }: Others): OrderProblem | null {
  const { note, index } = ran;
  const count = ran.count ?? 0;
  const { last } = above;
  if (note === null || last?.note === null) return orderByNumbers(ran, above);
  // Of two cells with the same number, the cleared one is more likely the copy.
  const twin = ran.isCleared ? above.first(note) : above.firstUncleared(note);
  if (twin !== undefined) {
    const message = `Cell ${index} is a copy of cell ${twin.index}, [${count}], and was not run itself.`;
    return { type: "never-run", message, why: null };
  }
  if (last !== undefined && last.note.kernel !== note.kernel) {
    const isOlder = isBefore(ran, last);
    const why = `cell ${last.index} was run ${isOlder ? "again since" : "in another kernel"}`;
    return { type: "stale", why };
  }
  const later = above.latestOf(note.kernel);
  if (later !== null && later.count > count) return outOfOrder({ count, index }, later);
  const { before } = note;
  if (before === null) return null;
  const previous = { kernel: note.kernel, count: before };
  if (above.first(previous) !== undefined) return null;
  const below = all.first(previous);
  const former = formerCode.get(numberName(previous));
  if (below !== undefined) return { type: "stale", why: `cell ${below.index}, which ran before, is below now` };
  const why =
    former === undefined
      ? `a cell that ran before, [${before}], is no longer in the notebook`
      : `cell ${former.index}, which ran before as [${before}], ${whyFormer(former.cell)} now`;
  return { type: "stale", why };
}

function whyFormer({ type }: NotebookCell): string {
  if (type === "code") return "has the tag skip-execution";
  return type === "markdown" ? "is Markdown" : "is not code";
}

/** A weaker check, for cells that ran without notes. */
function orderByNumbers(ran: RanCell, { last, latest: later }: NumberedCells): OrderProblem | null {
  const { index } = ran;
  const count = ran.count ?? 0;
  if (later !== null && later.count >= count) return outOfOrder({ count, index }, later);
  if (last === undefined || !isBefore(ran, last)) return null;
  return { type: "stale", why: `cell ${last.index} was run again since` };
}

function isBefore({ times }: RanCell, other: RanCell): boolean {
  return times !== null && other.times !== null && times.ended <= other.times.begun;
}

/** A kernel gives each number once. */
function outOfOrder(cell: Numbered, earlier: Numbered): OrderProblem {
  const message =
    cell.count === earlier.count
      ? `Cell ${cell.index} and cell ${earlier.index} have the same number, [${cell.count}]: they were run in different kernels.`
      : `Cell ${cell.index} was run before cell ${earlier.index} ([${cell.count}] before [${earlier.count}]).`;
  return { type: "out-of-order", message, why: null };
}

function neverRun({ index, cell }: RanCell): string {
  return cell.hasOutputs
    ? `Cell ${index} has outputs, but no number: nothing shows that its code was run.`
    : `Cell ${index} was never run.`;
}

/** A cell with the tag `raises-exception` is meant to show an error. */
function exceptionShown(cell: NotebookCell): string | null {
  if (cell.tags.includes("raises-exception")) return null;
  for (const output of cell.outputs.map(asOutput)) {
    if (output?.output_type === "error") return sayException({ name: output.ename, message: output.evalue });
  }
  return null;
}

function missingNumbers(cells: readonly RanCell[]): readonly (readonly [from: number, to: number])[] {
  const missing: (readonly [number, number])[] = [];
  let expected = 1;
  for (const { count } of cells) {
    if (count === null) continue;
    if (count > expected) missing.push([expected, count - 1]);
    expected = Math.max(expected, count + 1);
  }
  return missing;
}

function isToBeRun(cell: NotebookCell): boolean {
  return cell.type === "code" && cell.source.trim() !== "" && !cell.tags.includes("skip-execution");
}
