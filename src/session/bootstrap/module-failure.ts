import { KernelError } from "../../kernel/errors.ts";
import type { KernelEvent } from "../../kernel/events.ts";
import type { ModuleFile } from "./extension-modules.ts";

/** Why an extension module failed, as `granary_prelude/extension.py` puts it into the message of its exception. */
interface Report {
  readonly line: number | null;
  readonly exception: string;
  readonly traceback: string;
}

export type ModuleProblem = Extract<KernelEvent, { type: "error" }>;

/** The error about a failed extension module: which file, which line, and the remedy. */
export function moduleFailure(module: ModuleFile, problem: ModuleProblem): KernelError {
  const { line, exception, traceback } = reportOf(problem);
  const place = line === null ? module.path : `${module.path}, line ${line}`;
  const remedy =
    module.from === "project"
      ? "Correct it, or turn modules of projects off with python.projectModules: false."
      : "Correct it, or move it out of that folder.";
  return new KernelError(
    "start-failed",
    `A module that runs when Python starts has failed: ${place}: ${exception}\n${remedy}`,
    {
      details: { file: module.path, line, exception, traceback },
    },
  );
}

function reportOf(problem: ModuleProblem): Report {
  if (problem.name === "ExtensionFailed") return JSON.parse(problem.message) as Report;
  // Interrupted by another client, for example.
  const exception = problem.message === "" ? problem.name : `${problem.name}: ${problem.message}`;
  return { line: null, exception, traceback: problem.traceback.join("\n") };
}
