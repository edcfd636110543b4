import { closest } from "../support/closest.ts";
import { groupOf, keyOf, settingGroups, settingNames, variableOf } from "./settings.ts";

/** The message for an unknown name. */
export function explainUnknownSetting(name: string): string {
  const namesakes = settingNames.filter((other) => groupOf(other) === groupOf(name));
  const similar = mostSimilar(name, namesakes, keyOf) ?? mostSimilar(name, settingNames, keyOf);
  return `There is no setting ${name}. ${whatInstead(similar, namesakes)}`;
}

/** @param variable begins like those of a group */
export function explainUnknownVariable(variable: string): string {
  const beginning = /^[^_]+_[^_]+_/;
  const group = settingNames.map(variableOf).filter((other) => other.startsWith(variable.match(beginning)?.[0] ?? ""));
  const similar = mostSimilar(variable, group, (name) => name.replace(beginning, ""));
  return `There is no setting for ${variable}. ${whatInstead(similar, group)}`;
}

/** Compares without the common prefix of a group, which would make any two names similar. */
function mostSimilar(typed: string, names: readonly string[], ending: (name: string) => string): string | undefined {
  const similar = closest(ending(typed), names.map(ending));
  const part = ending(typed).toLowerCase();
  const isPartOf = (name: string) => part.length > 3 && ending(name).toLowerCase().includes(part);
  // `timeout` differs from `timeoutSeconds` by many letters, but is meant.
  return names.find((name) => ending(name) === similar) ?? names.find(isPartOf);
}

function whatInstead(similar: string | undefined, namesakes: readonly string[]): string {
  if (similar !== undefined) return `Did you mean ${similar}?`;
  if (namesakes.length > 0) return `There are: ${namesakes.join(", ")}.`;
  return `Names of settings begin with ${settingGroups.map((group) => `${group}.`).join(" ")}`;
}
