import type { MimeBundle } from "../kernel/events.ts";
import type { Interpreter } from "../python/interpreter.ts";
import type { CreateTimeline } from "../session/checkpoints/timeline.ts";
import type { SharedSession } from "../session/shared-session.ts";
import type { LoadedSettings, SettingDefaults } from "../settings/load-settings.ts";
import type { SettingsOverrides } from "../settings/settings.ts";
import type { Environment } from "../support/environment.ts";
import type { LoadBackend } from "./backend/load-backend.ts";
import type { HostVariables } from "./kernel/start-environment.ts";
import type { FindFolder } from "./sandbox/own-folder.ts";
import type { SharedSessions } from "./shared-sessions.ts";

export interface RuntimeOptions {
  /** The default folder of sessions; the process's own by default. */
  readonly cwd?: string | undefined;
  /** @internal A folder around `cwd` that the user works in: its environment is used, and its limits count. */
  readonly top?: string | undefined;
  /** Whether kernels behind an external gateway have to be in `cwd`; otherwise they enter it if it exists there. */
  readonly requireCwd?: boolean | undefined;
  /** The environment for the search for Python; code in a kernel sees a part of it. The process's own by default. */
  readonly env?: Environment | undefined;
  /** More variables for code in kernels, unfiltered. */
  readonly extraEnv?: Readonly<Record<string, string>> | undefined;
  /** Whether kernels read the standard input of this process, which must not read it then: on `runner` and `zmq`. */
  readonly inheritsStdin?: boolean | undefined;
  /** Settings that win over files and variables, such as `{ python: { sandbox: "strict" } }`. */
  readonly settings?: SettingsOverrides | undefined;
  /** The host's own defaults: weaker than files and variables. A project's file loosens no limit, such as `python.sandbox`. */
  readonly defaults?: SettingDefaults | undefined;
  /**
   * Whether the working folder's own settings and modules may name programs and run code, for this runtime only; by default
   * as the user has told `granary trust`. `true` covers the folders below, but no repository inside, and no other folder.
   */
  readonly trust?: boolean | undefined;
  readonly host?: HostVariables | undefined;
  /** The folder of artifacts, instead of Granary's own. */
  readonly artifactsFolder?: string | undefined;
  /** Whether text that is too long for a result is kept as an artifact; true by default. For hosts that pass on all of it. */
  readonly textArtifacts?: boolean | undefined;
  /** For hosts that cannot attach pictures: saves those of a bundle, and returns a text that says where. */
  readonly placePictures?: ((data: MimeBundle) => Promise<string | null>) | undefined;
  /** A running kernel, by Jupyter's connection file, for all sessions; closing only detaches from it. */
  readonly attach?: string | undefined;
  /**
   * Whether kernels on the shared gateway of this machine stay when this runtime closes, so that a session of the
   * same name and folder in a later process reuses them. They end when they are unused for `python.idleMinutes`.
   * `fresh`: kernels that an earlier process kept are ended first.
   */
  readonly kernels?: "reuse" | "fresh" | undefined;
  /** @internal Whether one kernel is all that is expected: nothing is made ready for a second one before it is needed. */
  readonly startsOneKernel?: boolean | undefined;
  /** @internal Whether variables are unused after the last cell, or after a crash, so that checkpoints are of no use. */
  readonly endsWithItsCells?: boolean | undefined;
  /** @internal */
  readonly loadBackend?: LoadBackend | undefined;
  /** @internal Sessions that other runtimes of this process share, and that stay when this one closes. */
  readonly sessions?: SharedSessions | undefined;
  readonly onInterpreter?: ((interpreter: Interpreter) => void) | undefined;
  readonly stderr?: { write(text: string): unknown } | undefined;
}

export interface SessionChoices {
  readonly cwd?: string | undefined;
  /** The owner of the session; the same owner may open it several times. */
  readonly owner?: string | undefined;
  /** The owner's name in sentences for the others; the owner by default. */
  readonly label?: string | undefined;
  /** @internal In the hub: whether the session ends with its last owner. */
  readonly isTemporary?: boolean | undefined;
  /** @internal In the hub: that session, as its own clients have it, with any settings of this runtime. */
  readonly joins?: SharedSession | undefined;
  /** The name of a Jupyter kernelspec, instead of that of the settings. Each has a kernel of its own. */
  readonly kernel?: string | undefined;
  /** Called at every run for a sentence to add to its result; null for none. */
  readonly notice?: (() => string | null) | undefined;
}

/** The folders of a runtime. */
export interface RuntimeContext {
  readonly cwd: string;
  /** Set where code in a sandbox may lead a folder elsewhere. */
  readonly findFolder?: FindFolder | undefined;
  readonly top?: string | undefined;
  readonly env: Environment;
  readonly home: string;
  readonly settings: LoadedSettings;
  /** Missing where there are no checkpoints. */
  readonly createTimeline?: CreateTimeline | undefined;
}
