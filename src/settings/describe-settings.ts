import { notShown } from "./kinds.ts";
import type { LoadedSettings } from "./load-settings.ts";
import { describeOrigin } from "./origin.ts";
import { groupOf, keyOf, type SettingName, settingCalled, settingNames } from "./settings.ts";

export interface DescribedSetting {
  readonly name: SettingName;
  /** Safe to show: a note replaces a secret. */
  readonly value: unknown;
  /** `default`, the path of a file, the name of a variable, or `call options`. */
  readonly origin: string;
}

/** The settings in force and their sources, as `granary doctor` lists them. */
export function describeSettings({ values, origins }: LoadedSettings): DescribedSetting[] {
  return settingNames.map((name) => {
    const value = (values as Record<string, Record<string, unknown>>)[groupOf(name)]?.[keyOf(name)];
    const isHidden = settingCalled(name).kind.isSecret === true && value !== null;
    return { name, value: isHidden ? notShown : value, origin: describeOrigin(origins[name]) };
  });
}
