import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { granary, testFolder } from "../hosts/cli/granary.ts";
import type { Snippet } from "./snippets.ts";

/** How a snippet ended: `ok`, or what the command said. */
export interface Comparison {
  readonly onJupyter: string;
  readonly onRunner: string;
  /** The first line in which they differ, as `granary notebook verify` reports it; null where they show the same. */
  readonly difference: string | null;
}

/** Runs a snippet as a notebook on ipykernel, then has `granary notebook verify` run it on the runner and compare. */
export async function compareKernels(python: string, { code, ignore }: Snippet): Promise<Comparison> {
  const folder = mkdtempSync(join(testFolder, "library-"));
  try {
    const file = join(folder, "snippet.ipynb");
    writeFileSync(file, notebookOf(code));
    const options = [file, "--python", python, "--timeout", "300"];
    const context = { cwd: folder, env: { MPLCONFIGDIR: folder, NUMBA_CACHE_DIR: folder } };
    const stored = await granary(["notebook", "run", ...options, "--backend", "zmq"], context);
    const patterns = ignore.flatMap((pattern) => ["--ignore", pattern]);
    const verified = await granary(["notebook", "verify", ...options, ...patterns, "--backend", "runner"], context);
    const isDifferent = verified.stdout.includes("shows something else");
    return {
      onJupyter: stored.exitCode === 0 ? "ok" : stored.stderr,
      onRunner: verified.exitCode === 0 || isDifferent ? "ok" : verified.stderr,
      difference: isDifferent ? verified.stdout : null,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function notebookOf(source: string): string {
  const cell = { cell_type: "code", id: "snippet", metadata: {}, execution_count: null, outputs: [], source };
  return JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
}
