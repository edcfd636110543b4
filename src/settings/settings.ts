import type { Setting } from "./kinds.ts";
import { settingsTable } from "./table.ts";

type Table = typeof settingsTable;

/** The name of a setting, such as `python.maxSessions`. */
export type SettingName = keyof Table;

export type SettingValue<Name extends SettingName> = Table[Name] extends Setting<infer Value> ? Value : never;

type Group = SettingName extends infer Name ? (Name extends `${infer Head}.${string}` ? Head : never) : never;

/** All settings, by group: `settings.python.maxSessions` is a number. */
export type Settings = {
  readonly [Head in Group]: {
    readonly [Name in SettingName as Name extends `${Head}.${infer Key}` ? Key : never]: SettingValue<Name>;
  };
};

/**
 * Some of the settings, as a caller gives them; undefined is the same as left out. `at-least-workspace` for `python.sandbox` leaves a
 * stricter one of another source as it is.
 */
export type SettingsOverrides = {
  readonly [Head in Group]?:
    | {
        readonly [Key in keyof Settings[Head]]?:
          | Settings[Head][Key]
          | (Key extends "sandbox" ? "at-least-workspace" : never)
          | undefined;
      }
    | undefined;
};

export const settingNames = Object.keys(settingsTable) as readonly SettingName[];

export const settingGroups: readonly string[] = [...new Set(settingNames.map(groupOf))];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingsTable, name);
}

export function groupOf(name: string): string {
  return name.replace(/\..*/s, "");
}

export function keyOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

export function settingCalled(name: SettingName): Setting<unknown> {
  return settingsTable[name] as Setting<unknown>;
}

/** `python.maxSessions` → `GRANARY_PYTHON_MAX_SESSIONS` */
export function variableOf(name: SettingName): string {
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter}`).replace(".", "_");
  return `GRANARY_${words.toUpperCase()}`;
}
