import { setImmediate } from "node:timers/promises";
import { isGranaryError } from "../../support/granary-error.ts";
import type { CommandContext } from "./command/command-context.ts";
import { exitCodeOfError, exitCodes } from "./command/exit-codes.ts";
import { StopRequest } from "./command/stop-request.ts";
import { UsageError } from "./command/usage-error.ts";
import type { Report, RunEnd } from "./report/report.ts";
import { knowsOptions, parseRunArguments, type RunArguments, splitAtProgram } from "./run/run-arguments.ts";
import type { RunClient } from "./run/run-in-hub.ts";
import { wantsHub } from "./run/wants-hub.ts";

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
    end = await run(parsed, { context, stop, person, report });
  } catch (error) {
    end = stop.reason === null ? endWith(error) : { ...nothingRan, status: "cancelled" };
    if (end.error !== null) await report.note(`granary: ${end.error.message}`);
  }
  await report.runEnds(end);
  return exitCodeOf(end, stop);
}

/** Loads only one of both ways. */
async function run(args: RunArguments, client: RunClient): Promise<RunEnd> {
  if (args.session !== undefined) {
    const { runInHub } = await import("./run/run-in-hub.ts");
    const end = wantsHub(args, client.context) ? await runInHub(args, client) : null;
    if (end !== null) return end;
    if (args.background) throw new UsageError("--background needs the hub, and GRANARY_HUB is never.");
  }
  const { runTypedCells } = await import("./run/run-typed-cells.ts");
  return runTypedCells(args, client);
}

async function exitCodeOf(end: RunEnd, stop: StopRequest): Promise<number> {
  // A failure of the last write is reported in the next turn of the event loop.
  await setImmediate();
  if (end.error !== null && exitCodeOfError(end.error.code) === exitCodes.usage) return exitCodes.usage;
  if (end.status === "cancelled" || stop.nobodyReads) return stop.exitCode ?? exitCodes.cancelled;
  return end.exitStatus ?? exitCodes[end.status];
}

/** A notebook is not Python, and may come after options that only notebooks have. */
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
    // A program that asks for a document gets one, also for a usage error.
    if (args.includes("--json")) {
      const report = await createReport(true, context);
      await report.runEnds(endWith(error));
    }
    throw error;
  }
}

/** Answers `input()`: the user at the terminal, unless the code itself comes from there. */
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

/** A `GranaryError` becomes the run's end; any other error is a bug, and is thrown again. */
function endWith(error: unknown): RunEnd {
  if (!isGranaryError(error)) throw error;
  return { ...nothingRan, error: { code: error.code, message: error.message } };
}
