import type { SettingsOverrides } from "../settings.ts";
import { Branch, type Entry, fromTree } from "./from-tree.ts";
import type { Layer } from "./layer.ts";

/** The settings of the caller. Checked as well, because not every caller is compiled. */
export function fromOverrides(overrides: SettingsOverrides): Layer {
  const groups = entriesOf(overrides).map((entry) =>
    isObject(entry.value) ? { ...entry, value: new Branch(entriesOf(entry.value)) } : entry,
  );
  return fromTree(new Branch(groups), { from: "call" });
}

function entriesOf(object: object): Entry[] {
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value, place: () => "Call options: " }));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
