import type { Interpreter, PythonFacts, RejectedCandidate } from "../interpreter.ts";
import type { Search } from "./candidates.ts";
import type { Examined } from "./examine-candidate.ts";
import type { InterviewOptions } from "./interview.ts";
import { whyUnfit } from "./probe-answer.ts";

/** A Python that can be used, as far as is known: `facts` is null where it was not asked and its files say nothing. */
export type Found = Omit<Interpreter, "skipped">;

type Looking = Search & Pick<InterviewOptions, "looksOnly" | "confine">;

/** For a Python that must not be asked, the facts in its files; null where it may be asked. */
export async function lookAt(examined: Examined, options: Looking): Promise<Found | RejectedCandidate | null> {
  const found = usable(examined, null);
  if (!(await mustNotBeAsked(examined, found, options))) return null;
  const { readFacts } = await import("./read-facts.ts");
  const facts = await readFacts(examined);
  const problem = facts && whyUnfit(facts);
  return problem === null ? { ...found, facts } : { ...examined.candidate, problem };
}

async function mustNotBeAsked({ isShim }: Examined, found: Found, options: Looking): Promise<boolean> {
  if (options.confine !== undefined && !isShim) return true;
  if (!options.looksOnly) return false;
  const { belongsToFolder } = await import("./in-folder.ts");
  return belongsToFolder(found, options);
}

/** The same search for a command that only looks: Pythons from elsewhere are asked, without the folder around them. */
export async function lookingAround<O extends Looking>(options: O): Promise<O> {
  const { withoutFolder } = await import("./in-folder.ts");
  return { ...options, env: await withoutFolder(options) };
}

export function usable(
  { candidate, executable, virtualEnvironment, condaEnvironment }: Examined,
  facts: PythonFacts | null,
): Found {
  return { executable, source: candidate.source, virtualEnvironment, condaEnvironment, facts };
}
