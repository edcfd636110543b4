import type { Environment } from "../../support/environment.ts";
import { GranaryError } from "../../support/granary-error.ts";
import type { Kind } from "../kinds.ts";
import { type SettingName, settingCalled, settingGroups, settingNames, variableOf } from "../settings.ts";
import type { Chosen, Layer } from "./layer.ts";

/** The settings of the environment; a documented `PI_…` name wins over the `GRANARY_…` form. */
export async function fromEnvironment(env: Environment): Promise<Layer> {
  await refuseUnknown(env);
  const layer = new Map<SettingName, Chosen>();
  for (const name of settingNames) {
    const { kind, variable } = settingCalled(name);
    const general = fromVariable(variableOf(name), kind, env);
    const documented = variable && fromVariable(variable.name, variable.kind ?? kind, env);
    const chosen = documented ?? general;
    if (chosen !== undefined) layer.set(name, chosen);
  }
  return layer;
}

function fromVariable(variable: string, kind: Kind<unknown>, env: Environment): Chosen | undefined {
  const text = env[variable];
  if (text === undefined) return undefined;
  const json = kind.fromText(text);
  if (json === undefined) return undefined;
  const origin = { from: "variable", name: variable } as const;
  const value = kind.read(json);
  if (value !== undefined) return { value, origin };
  const takes = kind.takesAsText ?? kind.takes;
  throw new GranaryError("settings", `${variable} is ${kind.shown(text)}, but takes ${takes}.`, {
    details: { origin },
  });
}

/** Variables of other names, such as `GRANARY_HOME`, are not settings. */
async function refuseUnknown(env: Environment): Promise<void> {
  const known = new Set(settingNames.map(variableOf));
  const looksLikeSetting = new RegExp(`^GRANARY_(${settingGroups.join("|").toUpperCase()})_`);
  const unknown = Object.keys(env).find(
    (variable) => looksLikeSetting.test(variable) && env[variable] !== undefined && !known.has(variable),
  );
  if (unknown === undefined) return;
  const { explainUnknownVariable } = await import("../unknown-name.ts");
  const origin = { from: "variable", name: unknown } as const;
  throw new GranaryError("settings", explainUnknownVariable(unknown), { details: { origin } });
}
