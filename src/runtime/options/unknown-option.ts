import { groupOf, isSettingName, keyOf, settingGroups, settingNames } from "../../settings/settings.ts";
import { closest } from "../../support/closest.ts";
import { GranaryError } from "../../support/granary-error.ts";

/** Names the place of a setting that was given as an option, or the option that was meant. */
export function unknownOption(call: string, name: string, known: readonly string[]): GranaryError<"invalid-argument"> {
  return new GranaryError("invalid-argument", `${call} has no option ${name}. ${whatInstead(name, known)}`, {
    details: { argument: name },
  });
}

function whatInstead(name: string, known: readonly string[]): string {
  const settings = asSettings(name);
  if (settings !== null) {
    if (known.includes("settings")) return `Settings have their own: ${settings}.`;
    if (known.includes("runtime"))
      return `Settings are those of a runtime: runtime: await createRuntime({ ${settings} }).`;
    return "Set it in a settings file (docs/settings.md).";
  }
  const meant = closest(name, known);
  return meant === null ? "The API page (docs/api.md) lists its options." : `Did you mean ${meant}?`;
}

/** `sandbox`, `python` and `python.sandbox` → the form that is read; null for no name of settings. */
function asSettings(name: string): string | null {
  if (name === "settings") return "settings: { … }";
  if (settingGroups.includes(name)) return `settings: { ${name}: { … } }`;
  const setting = isSettingName(name) ? name : settingNames.find((other) => keyOf(other) === name);
  return setting === undefined ? null : `settings: { ${groupOf(setting)}: { ${keyOf(setting)}: … } }`;
}
