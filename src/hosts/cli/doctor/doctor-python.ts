import type { SurveyedCandidate } from "../../../python/find/survey-interpreters.ts";
import { isUntried } from "./backend-state.ts";
import type { Diagnosis } from "./diagnosis.ts";
import type { Page } from "./report-page.ts";

/** The Python that would be used, and all other candidates. */
export function pythonLines({ python, backends }: Diagnosis, page: Page): readonly string[] {
  const { chosen, why, candidates } = python;
  if (candidates.length === 0) {
    const places = "VIRTUAL_ENV, .venv and venv here and up to the root of the repository, CONDA_PREFIX";
    return page.text(`None. Looked at ${places}, PATH, and Granary's own environment.`);
  }
  const mark = isUntried(backends) ? "?" : page.theme.success("✓");
  const headline = chosen === null ? ["None."] : [named(chosen), ...page.text(why)];
  const isAllThereIs = candidates.length === 1 && chosen !== null;
  if (isAllThereIs) return headline;
  const first = chosen === null ? -1 : candidates.findIndex(({ executable }) => executable === chosen.executable);
  return [...headline, "", "Looked at, in this order:", ...candidateLines(candidates, { first, mark }, page)];
}

function named({ executable, facts }: NonNullable<Diagnosis["python"]["chosen"]>): string {
  return facts === null ? executable : `${executable} (${versionOf(facts)})`;
}

/** One line each where all of them fit; otherwise the notes on each go below its path. */
function candidateLines(
  candidates: readonly SurveyedCandidate[],
  chosen: { readonly first: number; readonly mark: string },
  page: Page,
): readonly string[] {
  const { error } = page.theme;
  const sources = Math.max(...candidates.map(({ source }) => sourceName(source).length));
  const paths = Math.max(...candidates.map(({ path }) => path.length));
  const allFit = candidates.every((one) => remark(one).length <= page.besides(2 + sources + 2 + paths + 2));
  return candidates.flatMap((candidate, index) => {
    const { path, source, problem } = candidate;
    const mark = index === chosen.first ? chosen.mark : problem === null ? " " : error("✗");
    const start = `${mark} ${sourceName(source).padEnd(sources)}  `;
    if (allFit) return [`${start}${path.padEnd(paths)}  ${remark(candidate)}`];
    const indent = 2 + sources + 2;
    return [start + path, ...page.beside(" ".repeat(indent), indent, remark(candidate))];
  });
}

function sourceName(source: SurveyedCandidate["source"]): string {
  return { explicit: "python.interpreter", managed: "Granary's own" }[source as string] ?? source;
}

function remark({ path, executable, facts, problem }: SurveyedCandidate): string {
  if (problem !== null) return problem;
  const isShim = executable !== null && executable !== path;
  return isShim ? `${versionOf(facts)}, starts ${executable}` : versionOf(facts);
}

function versionOf(facts: SurveyedCandidate["facts"]): string {
  if (facts === null) return "";
  return `${facts.implementation === "cpython" ? "Python" : facts.implementation} ${facts.version}`;
}
