import type { MimeBundle } from "../kernel/events.ts";
import type { Interpreter } from "../python/interpreter.ts";
import type { LoadedSettings, SettingDefaults } from "../settings/load-settings.ts";
import type { SettingsOverrides } from "../settings/settings.ts";
import type { Environment } from "../support/environment.ts";
import type { LoadBackend } from "./backend/load-backend.ts";
import type { HostVariables } from "./kernel/start-environment.ts";

export interface RuntimeOptions {
  /** The folder of sessions that name none; the process's own by default. */
  readonly cwd?: string | undefined;
  /** Whether kernels behind somebody's gateway have to be in `cwd`; otherwise they enter it if it exists there. */
  readonly requireCwd?: boolean | undefined;
  /** The environment Python is looked for in; code in a kernel sees a part of it. The process's own by default. */
  readonly env?: Environment | undefined;
  /** More variables for code in kernels, as they are. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  /** Whether kernels read the standard input of this process, which must not read it then: on `runner` and `zmq`. */
  readonly inheritsStdin?: boolean | undefined;
  /** Settings that win over files and variables. */
  readonly settings?: SettingsOverrides | undefined;
  /** The host's own defaults: weaker than files and variables. */
  readonly defaults?: SettingDefaults | undefined;
  readonly host?: HostVariables | undefined;
  /** Where artifacts go, instead of a folder of Granary's own. */
  readonly artifactsFolder?: string | undefined;
  /** Whether text that is too much for a result is kept as an artifact; it is by default. For hosts that pass on all of it. */
  readonly textArtifacts?: boolean | undefined;
  /** For hosts that can attach no pictures: puts those of a bundle somewhere, and says where. */
  readonly placePictures?: ((data: MimeBundle) => Promise<string | null>) | undefined;
  /** A kernel that runs already, by Jupyter's connection file, for all sessions; closing only lets go of it. */
  readonly attach?: string | undefined;
  /**
   * Whether kernels on the gateway that is shared on this machine stay when this runtime closes, so that a session of the
   * same name and folder goes on with them in a later process. They are ended when nobody comes for `python.idleMinutes`.
   * `fresh`: what an earlier process has kept is ended first.
   */
  readonly kernels?: "reuse" | "fresh" | undefined;
  /** @internal */
  readonly loadBackend?: LoadBackend | undefined;
  readonly onInterpreter?: ((interpreter: Interpreter) => void) | undefined;
  readonly stderr?: { write(text: string): unknown } | undefined;
}

export interface SessionChoices {
  readonly cwd?: string | undefined;
  /** Whoever holds the session; the same owner may ask for it as often as it likes. */
  readonly owner?: string | undefined;
  /** The name of a Jupyter kernelspec, instead of the one that the settings name. Each has a kernel of its own. */
  readonly kernel?: string | undefined;
  /** Is asked at every run for a sentence that its result should have; null for none. */
  readonly notice?: (() => string | null) | undefined;
}

/** Where a runtime is at home. */
export interface RuntimeContext {
  readonly cwd: string;
  readonly env: Environment;
  readonly home: string;
  readonly settings: LoadedSettings;
}
