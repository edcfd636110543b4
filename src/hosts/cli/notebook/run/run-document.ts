import type { CellReport, NotebookRun } from "../../../../execute/notebook/notebook-run.ts";
import type { NotebooksRun } from "../../../../execute/run-each-notebook.ts";
import type { SharedSession } from "../../../../session/shared-session.ts";

/** The document of `--json` for several notebooks. */
export function runsDocument(
  { status, notebooks }: NotebooksRun,
  sessions: readonly (SharedSession | undefined)[],
): object {
  const documents = notebooks.map((outcome, index) => {
    const { path, run, failure, durationMs } = outcome;
    const session = sessions[index];
    const document = run !== null && session !== undefined ? runDocument(run, session) : notRun;
    return { notebook: path, ...document, status: outcome.status, error: failure, durationMs: Math.round(durationMs) };
  });
  return { status, notebooks: documents };
}

const notRun = { path: null, failed: null, exited: null, cells: [], notices: [], kernel: null };

/** The kernel that ran a notebook, as it is after the run. */
export interface KernelOfRun {
  readonly generation: number;
  readonly kernel: { readonly state: string } | null;
}

/** The document of `--json` for one notebook. */
export function runDocument(run: NotebookRun, session: KernelOfRun): object {
  const { kernel } = run;
  return {
    status: run.status,
    error: run.failure,
    path: run.savedTo,
    failed: run.failed?.index ?? null,
    exited: run.exited?.index ?? null,
    cells: run.cells.map(cellDocument),
    notices: run.notices,
    kernel: kernel && {
      backend: kernel.backend,
      python: kernel.version,
      executable: kernel.executable,
      generation: session.generation,
      state: session.kernel?.state ?? "dead",
    },
  };
}

function cellDocument({ source: _, ...cell }: CellReport): object {
  return cell;
}
