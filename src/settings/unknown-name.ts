import { closest } from "../support/closest.ts";
import { groupOf, keyOf, settingGroups, settingNames, variableOf } from "./settings.ts";

/** What to tell somebody who used a name that is not there. */
export function explainUnknownSetting(name: string): string {
  const namesakes = settingNames.filter((other) => groupOf(other) === groupOf(name));
  const similar = mostSimilar(name, namesakes, keyOf) ?? mostSimilar(name, settingNames, keyOf);
  return `There is no setting ${name}. ${whatInstead(similar, namesakes)}`;
}

/** @param variable begins as those of a group do */
export function explainUnknownVariable(variable: string): string {
  const beginning = /^[^_]+_[^_]+_/;
  const group = settingNames.map(variableOf).filter((other) => other.startsWith(variable.match(beginning)?.[0] ?? ""));
  const similar = mostSimilar(variable, group, (name) => name.replace(beginning, ""));
  return `There is no setting for ${variable}. ${whatInstead(similar, group)}`;
}

/** Compares without what all names of a group begin with: that would make any two of them similar. */
function mostSimilar(typed: string, names: readonly string[], ending: (name: string) => string): string | undefined {
  const similar = closest(ending(typed), names.map(ending));
  const part = ending(typed).toLowerCase();
  const isPartOf = (name: string) => part.length > 3 && ending(name).toLowerCase().includes(part);
  // `timeout` is far from `timeoutSeconds` by its letters, and yet it is what was meant.
  return names.find((name) => ending(name) === similar) ?? names.find(isPartOf);
}

function whatInstead(similar: string | undefined, namesakes: readonly string[]): string {
  if (similar !== undefined) return `Did you mean ${similar}?`;
  if (namesakes.length > 0) return `There are: ${namesakes.join(", ")}.`;
  return `Names of settings begin with ${settingGroups.map((group) => `${group}.`).join(" ")}`;
}
