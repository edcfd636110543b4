import type { Interpreter, InterpreterSource, PythonFacts, RejectedCandidate } from "../interpreter.ts";
import { type Candidate, candidates } from "./candidates.ts";
import { type FindInterpreterOptions, findInterpreter, lacksJupyter } from "./find-interpreter.ts";
import { InterpreterCache } from "./interpreter-cache.ts";
import { Interview } from "./interview.ts";
import { type Found, lookingAround } from "./look-at.ts";
import { noPython } from "./no-python-error.ts";

/** All candidates in order, and the one that Granary would use. */
export interface Survey {
  readonly candidates: readonly SurveyedCandidate[];
  /** The result of `findInterpreter`; null if it finds none. */
  readonly chosen: Interpreter | null;
  /** The reason for that choice, or for none: a sentence for people. */
  readonly why: string;
}

/** With a problem there are no facts; without either, the Python is of this folder, was not asked, and its files say nothing. */
export interface SurveyedCandidate {
  readonly path: string;
  readonly source: InterpreterSource;
  /** The executable to start; differs from `path` if that is a version manager's shim. */
  readonly executable: string | null;
  readonly facts: PythonFacts | null;
  /** Completes the sentence that begins with the path. */
  readonly problem: string | null;
}

/**
 * Asks every Python, including those in the cache, to report what is wrong.
 *
 * @example
 * const { candidates } = await surveyInterpreters({ cwd: "project", env: process.env });
 */
export async function surveyInterpreters(asked: FindInterpreterOptions): Promise<Survey> {
  const options = asked.looksOnly ? await lookingAround(asked) : asked;
  const interview = new Interview(options);
  try {
    const asking: Promise<readonly [Candidate, Found | RejectedCandidate]>[] = [];
    for await (const candidate of candidates(options)) {
      asking.push(interview.ask(candidate).then((verdict) => [candidate, verdict]));
    }
    const verdicts = await Promise.all(asking);
    options.signal?.throwIfAborted();
    await interview.remember(new InterpreterCache(options));
    const chosen = options.skipCheck
      ? await findUnasked(options)
      : chooseFrom(
          verdicts.map(([, verdict]) => verdict),
          options,
        );
    return {
      candidates: verdicts.map(([candidate, verdict]) => surveyed(candidate, verdict)),
      chosen,
      why: chosen === null ? whyNone(verdicts, options) : whyThisOne(chosen, options),
    };
  } finally {
    interview.close();
  }
}

function findUnasked(options: FindInterpreterOptions): Promise<Interpreter | null> {
  return findInterpreter(options).catch(() => null);
}

/** As `findInterpreter` does. */
function chooseFrom(verdicts: readonly (Found | RejectedCandidate)[], { forJupyter }: FindInterpreterOptions) {
  const first = firstFound(verdicts);
  if (!forJupyter || first === null || !lacksJupyter(first)) return first;
  const managed = firstFound(verdicts.filter(({ source }) => source === "managed"));
  return managed ?? first;
}

function firstFound(verdicts: readonly (Found | RejectedCandidate)[]): Interpreter | null {
  const skipped: RejectedCandidate[] = [];
  for (const verdict of verdicts) {
    if ("executable" in verdict) return { ...verdict, skipped };
    skipped.push(verdict);
  }
  return null;
}

function surveyed({ path, source }: Candidate, verdict: Found | RejectedCandidate): SurveyedCandidate {
  return "problem" in verdict
    ? { path, source, executable: null, facts: null, problem: verdict.problem }
    : { path, source, executable: verdict.executable, facts: verdict.facts, problem: null };
}

function whyNone(
  verdicts: readonly (readonly [Candidate, Found | RejectedCandidate])[],
  options: FindInterpreterOptions,
): string {
  const rejected = verdicts.flatMap(([, verdict]) => ("problem" in verdict ? [verdict] : []));
  return noPython(rejected, options).message;
}

function whyThisOne({ source, skipped, facts }: Interpreter, { skipCheck }: FindInterpreterOptions): string {
  const others = skipped.length === 1 ? "The one before it" : `The ${skipped.length} before it`;
  return [
    `${reasons[source]}.`,
    ...(skipped.length > 0 ? [`${others} cannot be used.`] : []),
    ...(facts === null ? [skipCheck ? "Nothing was asked, because checks are turned off." : notAsked] : []),
  ].join(" ");
}

const notAsked = "It was not asked: it is a part of this folder.";

const reasons: Readonly<Record<InterpreterSource, string>> = {
  explicit: "It was named",
  VIRTUAL_ENV: "VIRTUAL_ENV names its environment",
  ".venv": "It is the .venv of this folder or of its repository",
  venv: "It is the venv of this folder or of its repository",
  CONDA_PREFIX: "CONDA_PREFIX names its environment",
  managed: "It is Granary's own environment",
  PATH: "It is the first on PATH that works",
};
