import type { Origin } from "../origin.ts";
import type { SettingName } from "../settings.ts";

/** The settings of one source. Layers are stacked, and the topmost that has a setting decides it. */
export type Layer = ReadonlyMap<SettingName, Chosen>;

export interface Chosen {
  /** Checked: the setting's kind returned it. */
  readonly value: unknown;
  readonly origin: Origin;
}

export interface Layers {
  readonly user: Layer;
  readonly project: Layer;
  readonly environment: Layer;
}
