import { isGranaryError } from "../support/granary-error.ts";
import { type LoadedSettings, loadSettings, type SettingsSources } from "./load-settings.ts";
import type { Origin } from "./origin.ts";

export interface SettingsProblem {
  readonly message: string;
  readonly origin: Origin;
  /** The settings that stand in. */
  readonly instead: "without-project" | "defaults";
}

/** For a command that only looks: where a file is wrong, the user's own settings or the defaults. Nothing may run with them. */
export async function readableSettings(
  sources: SettingsSources,
): Promise<{ readonly settings: LoadedSettings; readonly settingsError: SettingsProblem | null }> {
  try {
    return { settings: await loadSettings(sources), settingsError: null };
  } catch (error) {
    if (!isGranaryError(error, "settings")) throw error;
    const { message, details } = error;
    const problem = { message, origin: details.origin as Origin };
    // A folder must not take away what the user has set.
    const own = await loadSettings({ ...sources, withoutProject: true }).catch(() => null);
    if (own !== null) return { settings: own, settingsError: { ...problem, instead: "without-project" } };
    return { settings: await defaults(), settingsError: { ...problem, instead: "defaults" } };
  }
}

/** The defaults, without any source of settings. */
function defaults(): Promise<LoadedSettings> {
  const nowhere = "/dev/null/none";
  return loadSettings({ cwd: nowhere, env: {}, home: nowhere });
}
