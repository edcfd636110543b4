import type { Origin } from "../origin.ts";
import type { SettingName } from "../settings.ts";

/** What one source says. Layers lie on top of each other, and the topmost that has a setting decides it. */
export type Layer = ReadonlyMap<SettingName, Chosen>;

export interface Chosen {
  /** Checked: it is what the setting's kind returned. */
  readonly value: unknown;
  readonly origin: Origin;
}
