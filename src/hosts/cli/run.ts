import type { CommandContext } from "./command/command-context.ts";
import { exitCodes } from "./command/exit-codes.ts";
import { StopRequest } from "./command/stop-request.ts";
import type { Report } from "./report/report.ts";
import { endWith, runAndReport } from "./run/run-and-report.ts";
import { knowsOptions, parseRunArguments, type RunArguments, splitAtProgram } from "./run/run-arguments.ts";

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
  const stop = new StopRequest(context);
  const person = await findPerson(parsed, context, stop);
  const report = await createReport(parsed.json, context);
  return runAndReport(parsed, { context, stop, person, report });
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
