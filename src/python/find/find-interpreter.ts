import { isPresent } from "../../support/files/look.ts";
import type { Interpreter, RejectedCandidate } from "../interpreter.ts";
import { candidates, ours } from "./candidates.ts";
import { examineCandidate } from "./examine-candidate.ts";
import { InterpreterCache } from "./interpreter-cache.ts";
import type { InterviewOptions } from "./interview.ts";
import { lookAt, lookingAround } from "./look-at.ts";
import { noPython } from "./no-python-error.ts";

export interface FindInterpreterOptions extends InterviewOptions {
  /** Looks at files only, and takes the first executable candidate unchecked. */
  readonly skipCheck?: boolean | undefined;
  /** For Jupyter kernels: Granary's own environment comes before a Python on PATH that cannot run them. */
  readonly forJupyter?: boolean | undefined;
  /** Runs no code that came with the folder: facts about a Python in it are read from its files. */
  readonly looksOnly?: boolean | undefined;
}

/**
 * The Python to use: the first usable one in order. Skips broken candidates, and names them if it finds nothing
 * better. Starts no process if the cache knows the first in order.
 *
 * @example
 * const { executable, source } = await findInterpreter({ cwd: "project", env: process.env });
 */
export async function findInterpreter(asked: FindInterpreterOptions): Promise<Interpreter> {
  asked.signal?.throwIfAborted();
  const options = asked.looksOnly ? await lookingAround(asked) : asked;
  const cache = new InterpreterCache(options);
  const found = (await findWithoutAsking(options, cache)) ?? (await findByAsking(options, cache));
  return options.forJupyter && lacksJupyter(found) ? ((await findOurs(options)) ?? found) : found;
}

/** Whether Jupyter kernels should run in Granary's own environment. Never replaces a project's own Python. */
export function lacksJupyter({ source, facts }: Pick<Interpreter, "source" | "facts">): boolean {
  return source === "PATH" && facts !== null && !facts.modules.includes("ipykernel");
}

async function findOurs(options: FindInterpreterOptions): Promise<Interpreter | null> {
  for (const { path, source } of ours(options)) {
    if (!(await isPresent(path))) continue;
    const found = await findInterpreter({ ...options, explicit: path, forJupyter: false }).catch(() => null);
    if (found !== null) return { ...found, source };
  }
  return null;
}

/** Null if a Python must be asked first. */
async function findWithoutAsking(
  options: FindInterpreterOptions,
  cache: InterpreterCache,
): Promise<Interpreter | null> {
  const skipped: RejectedCandidate[] = [];
  for await (const candidate of candidates(options)) {
    const examined = await examineCandidate(candidate, options);
    if ("problem" in examined) {
      skipped.push(faulty(examined));
      continue;
    }
    const facts = options.skipCheck ? null : await cache.recall(examined);
    const mustBeAsked = facts === null && !options.skipCheck;
    const { executable, virtualEnvironment, condaEnvironment } = examined;
    const known = { executable, source: candidate.source, virtualEnvironment, condaEnvironment, facts };
    const seen = mustBeAsked ? await lookAt(examined, options) : known;
    if (!seen) return null;
    if (!("problem" in seen)) return { ...seen, skipped };
    skipped.push(seen);
  }
  throw noPython(skipped, options);
}

async function findByAsking(options: FindInterpreterOptions, cache: InterpreterCache): Promise<Interpreter> {
  // Loaded here, because nearly every start finds its Python in the cache.
  const { Interview } = await import("./interview.ts");
  const interview = new Interview(options);
  try {
    const verdicts = [];
    for await (const candidate of candidates(options)) verdicts.push(interview.ask(candidate, cache));
    const skipped: RejectedCandidate[] = [];
    for (const asked of verdicts) {
      const verdict = await asked;
      options.signal?.throwIfAborted();
      if ("problem" in verdict) {
        skipped.push(faulty(verdict));
        continue;
      }
      await interview.remember(cache);
      return { ...verdict, skipped };
    }
    throw noPython(skipped, options);
  } finally {
    interview.close();
  }
}

/** Without descriptors no Python answers: trying the next would choose a different Python than usual. */
function faulty(rejected: RejectedCandidate): RejectedCandidate {
  if (rejected.shortage !== undefined) throw rejected.shortage;
  return rejected;
}
