import { setImmediate } from "node:timers/promises";
import { isGranaryError } from "../../support/granary-error.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodeOfError, exitCodes } from "./command/exit-codes.ts";
import { StopRequest } from "./command/stop-request.ts";
import type { Report, RunEnd } from "./report/report.ts";
import { knowsOptions, parseRunArguments, type RunArguments, splitAtProgram } from "./run/run-arguments.ts";
import { runTypedCells } from "./run/run-typed-cells.ts";

/** `granary run` */
export async function main(args: readonly string[], context: CommandContext): Promise<number> {
  if (await namesNotebook(args)) {
    const notebook = await import("./notebook.ts");
    return notebook.main(["run", ...args], context);
  }
  const parsed = await parse(args, context);
  if (parsed === "help") {
    const { runHelp } = await import("./run/run-help.ts");
    context.stdout.write(runHelp);
    return exitCodes.ok;
  }
  using stop = new StopRequest(context);
  const person = await findPerson(parsed, context, stop);
  const report = await createReport(parsed.json, context);
  let end: RunEnd;
  try {
    end = await runTypedCells(parsed, { context, stop, person, report });
  } catch (error) {
    end = stop.reason === null ? endWith(error) : { ...nothingRan, status: "cancelled" };
    if (end.error !== null) await report.note(`granary: ${end.error.message}`);
  }
  await report.runEnds(end);
  return exitCodeOf(end, stop);
}

async function exitCodeOf(end: RunEnd, stop: StopRequest): Promise<number> {
  // What went wrong with the last write is told in the next turn of the event loop.
  await setImmediate();
  if (end.error !== null && exitCodeOfError(end.error.code) === exitCodes.usage) return exitCodes.usage;
  if (end.status === "cancelled" || stop.nobodyReads) return stop.exitCode ?? exitCodes.cancelled;
  return end.exitStatus ?? exitCodes[end.status];
}

/** What is in it is not Python, and it may have options before it that only notebooks know. */
async function namesNotebook(args: readonly string[]): Promise<boolean> {
  const { before, program } = splitAtProgram(args);
  if (program?.type === "file" && isNotebook(program.path)) return true;
  if (!args.some(isNotebook) || knowsOptions(before)) return false;
  const { namesNotebook } = await import("./notebook/run/notebook-run-arguments.ts");
  return namesNotebook(args);
}

function isNotebook(path: string): boolean {
  return path.toLowerCase().endsWith(".ipynb");
}

async function parse(args: readonly string[], context: CommandContext): Promise<RunArguments | "help"> {
  try {
    return parseRunArguments(args, context.env);
  } catch (error) {
    // A program that asks for a document gets one, also when it asks wrongly.
    if (args.includes("--json")) {
      const report = await createReport(true, context);
      await report.runEnds(endWith(error));
    }
    throw error;
  }
}

/** Somebody who can answer `input()`: whoever sits at the terminal, unless the code itself comes from there. */
async function findPerson({ json, source }: RunArguments, context: CommandContext, stop: StopRequest) {
  if (json || source.type === "stdin" || !context.isTerminal("stdin")) return null;
  const { Person } = await import("./run/person.ts");
  return new Person(context, stop);
}

async function createReport(json: boolean, context: CommandContext): Promise<Report> {
  if (json) {
    const { JsonReport } = await import("./report/json-report.ts");
    return new JsonReport(context);
  }
  const { LiveReport } = await import("./report/live-report.ts");
  return new LiveReport(context);
}

const nothingRan: RunEnd = {
  status: "failed",
  error: null,
  kernel: null,
  skippedCells: 0,
  unfinishedThreads: [],
  exitStatus: null,
};

/** Our errors become the run's end; any other is a mistake of ours and goes on up. */
function endWith(error: unknown): RunEnd {
  if (!isGranaryError(error)) throw error;
  return { ...nothingRan, error: { code: error.code, message: error.message } };
}
