import type { KernelEvent } from "../kernel/events.ts";
import type { ExecuteOptions } from "../kernel/kernel.ts";
import type { NotebookCell } from "../notebook/cell.ts";
import type { CellAddress } from "../notebook/edit/address.ts";
import { randomId } from "../notebook/edit/cell-id.ts";
import { readNotebook } from "../notebook/file/read-notebook.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Execution } from "../session/execution/execution.ts";
import type { Session } from "../session/session.ts";
import { checkTimeLimit, invalid } from "../support/check-argument.ts";
import { refuseOtherLanguages } from "./notebook/kernel-metadata.ts";
import { LiveDocument } from "./notebook/live-document.ts";
import { sayMissingKernelspec } from "./notebook/missing-kernelspec.ts";
import type { NotebookProgress, NotebookRun } from "./notebook/notebook-run.ts";
import { NotebookRunner } from "./notebook/notebook-runner.ts";
import {
  hasParametersCell,
  injectedTag,
  type NotebookParameters,
  sayUnknown,
  withParameters,
} from "./notebook/parameters/parameters.ts";
import { planCells, selectCells } from "./notebook/plan-cells.ts";
import { forgetUnfinished, placeAfter, placeToResume, rememberUnfinished } from "./notebook/unfinished-runs.ts";

export interface RunNotebookOptions {
  /** Only these cells; a number counts from 0, a text is an id. */
  readonly cells?: readonly CellAddress[] | undefined;
  /** Start at this cell. */
  readonly from?: CellAddress | undefined;
  /** Continue with the cell that stopped the last run in this session, if its kernel is alive; else from the start. */
  readonly resume?: boolean | undefined;
  /** Start with a fresh kernel. */
  readonly fresh?: boolean | undefined;
  /** For each cell; Infinity, the default, for none. */
  readonly timeoutMs?: number | undefined;
  /** Continue after a cell that raises; `where-stored`: only if the notebook shows that it has raised before. */
  readonly allowErrors?: boolean | "where-stored" | undefined;
  /** The run is for comparing outputs with the stored ones: cells may ask to be skipped, or not to be compared. */
  readonly verify?: { readonly ignore?: readonly RegExp[] } | undefined;
  /** Variables for the notebook: see `withParameters`. */
  readonly parameters?: NotebookParameters | undefined;
  /** Another file for the result, which is overwritten; null to save nothing. */
  readonly saveTo?: string | null | undefined;
  /** Whether `metadata.execution` of the cells says when they ran; true by default. */
  readonly recordTimes?: boolean | undefined;
  /** How much of one cell's output is kept. */
  readonly maxCellMegabytes?: number | undefined;
  /** Aborting interrupts the running cell; outputs so far are saved. */
  readonly signal?: AbortSignal | undefined;
  /** Answers `input()`; without it, a cell that asks fails. */
  readonly answer?: ExecuteOptions["answer"];
  readonly onProgress?: ((progress: NotebookProgress) => void) | undefined;
  /** @internal Gets the cells' output, as it comes. */
  readonly onEvent?: ((event: KernelEvent) => void) | undefined;
  /** @internal Folders that the notebook must be in, wherever links lead; null for any. */
  readonly within?: readonly string[] | null | undefined;
  /** @internal The run as an execution, which may outlive its caller: the session is busy with it until the end. */
  readonly work?: Execution | undefined;
}

/**
 * Runs a notebook's code cells in order, up to the first that fails, and writes their outputs into the notebook. It
 * is saved after every cell, so a crash loses at most the running one. If another program saves the notebook at the same
 * time, the outputs go to the same cells in that version.
 *
 * @example
 * const run = await runNotebook(runtime.session("report"), "report.ipynb", { parameters: { region: "north" } });
 */
export async function runNotebook(
  session: Session,
  notebookPath: string,
  options: RunNotebookOptions = {},
): Promise<NotebookRun> {
  if (typeof notebookPath !== "string") throw invalid("path", "the path of a notebook", notebookPath);
  checkTimeLimit(options.timeoutMs);
  const { signal, saveTo } = options;
  const files = typeof saveTo === "string" ? [notebookPath, saveTo] : [notebookPath];
  const within = await session.saveRoots(files, options.within ?? null);
  const read = await readNotebook(notebookPath, { within, ...(signal !== undefined && { signal }) });
  refuseOtherLanguages(read);
  const path = read.origin?.path ?? notebookPath;
  const notices: string[] = [];
  const from = startingPoint(session, path, read, options, notices);
  const chosen = selectCells(read, { cells: options.cells, from });

  const parameters = someOrNone(options.parameters);
  const inject = injection(parameters);
  const notebook = inject(read);
  if (parameters !== undefined) {
    notices.push(...(hasParametersCell(read) ? sayUnknown(read, parameters) : [nowhereToInject]));
  }
  const document = new LiveDocument(notebook, { saveTo, within });
  if (notebook !== read) document.change(inject);

  const isInjected = (cell: NotebookCell) => parameters !== undefined && cell.tags.includes(injectedTag);
  const plan = planCells(notebook, {
    isMeant: (cell) => chosen === null || chosen.has(cell) || isInjected(cell),
    verifies: options.verify !== undefined,
  });
  const runner = new NotebookRunner(session, document, plan, options);
  const run = await runner.run();

  const { failed } = run;
  if (failed === null) forgetUnfinished(session.shared);
  else rememberUnfinished(session.shared, { path, ...placeAfter({ ...run, failed }, runner.kernelLeft) });
  notices.push(...sayUnknownCells(read));
  const missingKernel = await sayMissingKernelspec(read, run.kernel);
  if (missingKernel !== null) notices.push(missingKernel);
  if (read.upgradedFrom !== undefined && run.savedTo === path) {
    notices.push(`The notebook was in nbformat ${read.upgradedFrom}. It was saved in nbformat 4.5.`);
  }
  return { ...run, notices: [...notices, ...run.notices] };
}

function startingPoint(
  { shared: session }: Session,
  path: string,
  notebook: Notebook,
  { resume = false, from }: RunNotebookOptions,
  notices: string[],
): CellAddress | undefined {
  if (!resume) return from;
  const place = placeToResume(session, path, notebook);
  if ("from" in place) {
    if (place.notice !== null) notices.push(place.notice);
    return place.from;
  }
  notices.push(`${place.whyNot} The notebook is run from the start.`);
  return from;
}

/** A file or a YAML text without any parameters leaves the notebook as it is, as in papermill. */
function someOrNone(parameters: NotebookParameters | undefined): NotebookParameters | undefined {
  return parameters !== undefined && Object.keys(parameters).length > 0 ? parameters : undefined;
}

/** The same cell every time, also when it has to go into a version that another program saved. */
function injection(parameters: NotebookParameters | undefined): (notebook: Notebook) => Notebook {
  if (parameters === undefined) return (notebook) => notebook;
  const id = randomId();
  return (notebook) => {
    const candidates = [id];
    return withParameters(notebook, parameters, () => candidates.pop() ?? randomId());
  };
}

function sayUnknownCells({ cells }: Notebook): readonly string[] {
  const unknown = cells.flatMap(({ type }, index) => (type === "unknown" ? [index] : []));
  if (unknown.length === 0) return [];
  const which = unknown.length === 1 ? `Cell ${unknown[0]} has a type` : `Cells ${unknown.join(", ")} have types`;
  return [`${which} that Granary does not know, and ${unknown.length === 1 ? "was" : "were"} not run.`];
}

const nowhereToInject =
  'No cell has the tag "parameters", so the parameters are set at the top, where later cells may overwrite them.';
