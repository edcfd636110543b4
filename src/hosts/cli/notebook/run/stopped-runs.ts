import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { NotebookRun } from "../../../../execute/notebook/notebook-run.ts";
import { goneGeneration, rememberUnfinished } from "../../../../execute/notebook/unfinished-runs.ts";
import { removeOldFiles } from "../../../../output/artifacts/remove-old-files.ts";
import type { SharedSession } from "../../../../session/shared-session.ts";
import { writeFileAtomically } from "../../../../support/files/atomic-write.ts";
import { makeFolder } from "../../../../support/files/make-folder.ts";
import { identityOf, isStillRunning, type ProcessIdentity } from "../../../../support/process/process-identity.ts";

/** The cell at which a run stopped whose kernel is kept for the next command. */
interface StoppedRun {
  readonly path: string;
  readonly index: number;
  readonly id: string | null;
  /** The kernel that has the variables of the cells before. */
  readonly kernel: ProcessIdentity;
}

/** Longer than any kernel is kept. */
const keptDays = 7;

/** The record of earlier commands for `--resume`: a small file for each session and folder. */
export class StoppedRuns {
  readonly #folder: string;
  readonly #file: string;

  /** @param home Granary's own folder */
  constructor(home: string, { session, cwd }: { readonly session: string; readonly cwd: string }) {
    const name = createHash("sha256")
      .update(JSON.stringify([session, cwd]))
      .digest("hex")
      .slice(0, 16);
    this.#folder = join(home, "stopped-runs");
    this.#file = join(this.#folder, `${name}.json`);
  }

  /** Tells a session that has its kernel where an earlier command stopped. */
  async recall(session: SharedSession): Promise<void> {
    const run = await this.#read();
    if (run === null) return;
    const isSameKernel = session.info?.pid === run.kernel.pid && isStillRunning(run.kernel);
    const { path, index, id } = run;
    const generation = isSameKernel ? session.generation : goneGeneration;
    rememberUnfinished(session, { path, index, id, generation });
  }

  /** Records where a run stopped, or that it completed. */
  async keep(session: SharedSession, notebookPath: string, { failed }: NotebookRun): Promise<void> {
    const pid = session.info?.pid ?? null;
    const kernel = pid === null ? null : identityOf(pid);
    if (failed === null || kernel === null) return rm(this.#file, { force: true });
    const run: StoppedRun = { path: notebookPath, index: failed.index, id: failed.id, kernel };
    await makeFolder(this.#folder, 0o700);
    await removeOldFiles(this.#folder, { olderThanDays: keptDays });
    await writeFileAtomically(this.#file, `${JSON.stringify(run)}\n`, { mode: 0o600 });
  }

  async #read(): Promise<StoppedRun | null> {
    try {
      const found = JSON.parse(await readFile(this.#file, "utf8"));
      const isWhole = typeof found?.path === "string" && typeof found.index === "number" && found.kernel?.pid > 0;
      return isWhole ? found : null;
    } catch {
      return null; // missing, or unreadable
    }
  }
}
