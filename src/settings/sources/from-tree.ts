import { GranaryError } from "../../support/granary-error.ts";
import type { Origin } from "../origin.ts";
import { isSettingName, type SettingName, settingCalled, settingGroups } from "../settings.ts";
import { explainUnknownSetting } from "../unknown-name.ts";
import type { Chosen, Layer } from "./layer.ts";

/** Keys and values as a file or a caller gives them; the value of a group is a branch of its own. */
export class Branch {
  readonly entries: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    this.entries = entries;
  }
}

export interface Entry {
  readonly key: string;
  readonly value: unknown;
  /** Begins a sentence about this entry: `settings.json:3:5: `. */
  place(): string;
}

/** Why this source may not set that; null when it may. */
type Refusal = (name: SettingName) => string | null;

/** The settings in a tree, nested (`"python": {"maxSessions": 2}`) or dotted (`"python.maxSessions": 2`). */
export function fromTree(tree: Branch, origin: Origin, refusal: Refusal = () => null): Layer {
  const layer = new Map<SettingName, Chosen>();
  for (const { name, entry } of leaves(tree, "", origin)) {
    const problem = layer.has(name) ? givenTwice(name) : refusal(name);
    if (problem !== null) throw new GranaryError("settings", entry.place() + problem, { details: { origin } });
    layer.set(name, { value: read(name, entry, origin), origin });
  }
  return layer;
}

function* leaves(branch: Branch, prefix: string, origin: Origin): Generator<{ name: SettingName; entry: Entry }> {
  const keys = new Set<string>();
  for (const entry of branch.entries) {
    const name = prefix + entry.key;
    const fail = (problem: string) => new GranaryError("settings", entry.place() + problem, { details: { origin } });
    // Other programs would silently keep the last.
    if (keys.has(entry.key)) throw fail(givenTwice(name));
    keys.add(entry.key);

    if (isSettingName(name)) yield { name, entry };
    else if (!settingGroups.includes(name)) throw fail(explainUnknownSetting(name));
    else if (entry.value instanceof Branch) yield* leaves(entry.value, `${name}.`, origin);
    else throw fail(`${name} is a group of settings, and takes an object.`);
  }
}

function read(name: SettingName, entry: Entry, origin: Origin): unknown {
  const { kind } = settingCalled(name);
  const value = kind.read(entry.value);
  if (value !== undefined) return value;
  throw new GranaryError(
    "settings",
    `${entry.place()}${name} is ${kind.shown(entry.value)}, but takes ${kind.takes}.`,
    { details: { origin } },
  );
}

function givenTwice(name: string): string {
  return `${name} is given twice. Keep one of them.`;
}
