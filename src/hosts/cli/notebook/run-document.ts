import type { CellReport, NotebookRun } from "../../../execute/notebook/notebook-run.ts";
import type { Session } from "../../../session/session.ts";

/** What `--json` prints. */
export function runDocument(run: NotebookRun, session: Session): object {
  const { kernel } = run;
  return {
    status: run.status,
    error: run.failure,
    path: run.savedTo,
    failed: run.failed?.index ?? null,
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
