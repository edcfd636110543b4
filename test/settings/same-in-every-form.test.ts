import fc from "fast-check";
import { expect, test } from "vitest";
import { type SettingName, variableOf } from "../../src/settings/settings.ts";
import { repetitions } from "../environment/variants.ts";
import { anySettings, type SomeSettings } from "./any-settings.ts";
import { Places } from "./places.ts";

test("settings are the same as nested JSON, as dotted JSON, as variables and as options", async () => {
  await using places = await Places.create();
  const sameInEveryForm = fc.asyncProperty(anySettings(), async (settings) => {
    const dotted = await places.load({ user: settings });
    expect(await places.load({ user: nested(settings) })).toEqual(dotted);
    expect((await places.load({ env: asVariables(settings) })).values).toEqual(dotted.values);
    expect((await places.load({ overrides: nested(settings) })).values).toEqual(dotted.values);
    expect(dotted.values).toMatchObject(nested(settings));
  });
  await fc.assert(sameInEveryForm, { numRuns: repetitions(150) });
});

function nested(settings: SomeSettings): object {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(settings)) {
    const [group = "", key = ""] = name.split(".");
    groups[group] = { ...groups[group], [key]: value };
  }
  return groups;
}

function asVariables(settings: SomeSettings): Record<string, string> {
  const entries = Object.entries(settings) as [SettingName, unknown][];
  return Object.fromEntries(entries.map(([name, value]) => [variableOf(name), asText(value)]));
}

function asText(value: unknown): string {
  if (value === null) return "";
  return Array.isArray(value) ? value.join(",") : String(value);
}
