import { resolve } from "node:path";
import { runCell } from "../../session/run-cell.ts";
import { explainVerdict } from "./explain-verdict.ts";
import type { Person } from "./person.ts";
import { checkFolder, readCells } from "./read-cells.ts";
import type { Report, RunEnd } from "./report.ts";
import type { RunArguments } from "./run-arguments.ts";
import { startKernel } from "./start-kernel.ts";
import type { StopRequest } from "./stop-request.ts";
import type { Surroundings } from "./surroundings.ts";

export interface RunContext {
  readonly surroundings: Surroundings;
  readonly stop: StopRequest;
  /** Null when nobody could answer `input()`. */
  readonly person: Person | null;
  readonly report: Report;
}

/** Runs the cells one after the other in a kernel of their own, up to the first that fails. */
export async function runCells(args: RunArguments, context: RunContext): Promise<RunEnd> {
  const { surroundings, stop, person, report } = context;
  const cells = await readCells(args.source, surroundings, stop.signal);
  const cwd = resolve(surroundings.cwd, args.cwd);
  await checkFolder(cwd);
  await using kernel = await startKernel(args, cwd, surroundings, stop.signal);
  kernel.onBackground((text, name) => report.background(text, name));
  const kernelNow = () => ({ info: kernel.info, state: kernel.state });

  for (const [index, code] of cells.entries()) {
    report.cellBegins();
    const verdict = await runCell(kernel, code, {
      time: { leftMs: args.timeoutMs },
      signal: stop.signal,
      answer: person === null ? undefined : (...question) => person.answer(...question),
      onEvent: (event) => (stop.nobodyReads ? undefined : report.take(event)),
    });
    report.cellEnds(verdict);
    if (verdict.status === "ok") continue;

    if (!stop.nobodyReads) {
      const place = { number: index + 1, of: cells.length };
      for (const sentence of explainVerdict(verdict, place, args.timeoutMs)) await report.note(sentence);
    }
    const { status, kernelError } = verdict;
    const error = kernelError && { code: kernelError.code, message: kernelError.message };
    return { status, error, kernel: kernelNow(), skippedCells: cells.length - index - 1 };
  }
  return { status: "ok", error: null, kernel: kernelNow(), skippedCells: 0 };
}
