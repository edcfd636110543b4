import type { Environment } from "../../support/environment.ts";
import { groupOf, keyOf, type SettingName, type SettingsOverrides, settingCalled } from "../settings.ts";
import type { Layer, Layers } from "../sources/layer.ts";

interface Stronger {
  readonly env: Environment;
  /** Call options. */
  readonly overrides?: SettingsOverrides | undefined;
}

/**
 * The settings of a project that need trust: they name a program, a server or variables, or take the place of a program or a server
 * that the user chose, which may be a sandbox or another machine.
 */
export function needsTrust(layers: Layers, stronger: Stronger): readonly SettingName[] {
  const { project, user, environment } = layers;
  const isDecided = (name: SettingName): boolean =>
    environment.has(name) || optionOf(stronger.overrides, name) !== undefined;
  return [...project].flatMap(([name, { value }]) => {
    if (name === "python.backend") return !isDecided(name) && choosesPlace(layers, stronger) ? [name] : [];
    if (!settingCalled(name).needsTrust) return [];
    const isHarmless = value === null && (isDecided(name) || !isChosen(valueIn(user, name)));
    return isHarmless ? [] : [name];
  });
}

/** Whether the user chose where Python runs: a backend decides which of these settings count. */
function choosesPlace({ user, environment }: Layers, { env, overrides }: Stronger): boolean {
  const places = ["python.backend", "python.gatewayUrl", "python.kernel", "python.launcher"] as const;
  const ofUser = [...places, "python.interpreter"] as const;
  return (
    [user, environment].some((layer) => ofUser.some((name) => isChosen(valueIn(layer, name)))) ||
    places.some((name) => isChosen(optionOf(overrides, name))) ||
    !!env.JUPYTER_GATEWAY_URL
  );
}

function valueIn(layer: Layer, name: SettingName): unknown {
  return layer.get(name)?.value;
}

function optionOf(overrides: SettingsOverrides | undefined, name: SettingName): unknown {
  const groups = (overrides ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  return groups[groupOf(name)]?.[keyOf(name)];
}

function isChosen(value: unknown): boolean {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return value !== undefined && value !== null && value !== "auto" && !isEmpty;
}
