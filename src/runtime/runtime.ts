import type { HostTools } from "../kernel/host-call.ts";
import type { BackendName } from "../kernel/kernel.ts";
import type { ArtifactStore } from "../output/artifacts/artifact-store.ts";
import type { ExecutionCapture } from "../output/execution-capture.ts";
import type { Cell, Execution } from "../session/execution/execution.ts";
import type { Session } from "../session/session.ts";
import type { SessionKey } from "../session/session-pool.ts";
import type { SharedSession } from "../session/shared-session.ts";
import { granaryHome } from "../settings/granary-home.ts";
import { loadSettings } from "../settings/load-settings.ts";
import type { Settings } from "../settings/settings.ts";
import { checkText } from "../support/check-argument.ts";
import type { Environment } from "../support/environment.ts";
import type { KernelSite } from "./backend/load-backend.ts";
import type { StartContext } from "./kernel/start-context.ts";
import { LocalRuntime } from "./local-runtime.ts";
import { checkOptions } from "./options/check-options.ts";
import type { RuntimeOptions, SessionChoices } from "./runtime-options.ts";

/**
 * Loads the settings of a folder. Nothing is started before the first cell.
 *
 * @example
 * const runtime = await createRuntime({ cwd: "project" });
 * const { output } = await runtime.session().run("6 * 7").result;
 * await runtime.close();
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkText(options.cwd, "cwd");
  await checkOptions("createRuntime", options);
  const { cwd = process.cwd(), env = process.env } = options;
  const home = granaryHome(env);
  const { settings: overrides, defaults, trust, top } = options;
  const settings = await loadSettings({ cwd, top, env, home, overrides, defaults, trust });
  const { python } = settings.values;
  // In a process that ends with its cells, a checkpoint would stay unused.
  const hasCheckpoints =
    python.checkpoints === "always" || (python.checkpoints === "auto" && !options.endsWithItsCells);
  const createTimeline = hasCheckpoints ? (await import("./timelines.ts")).timelines(() => python) : undefined;
  const mayBeLedAstray = python.sandbox !== "off" || options.sessions !== undefined;
  const findFolder = mayBeLedAstray ? (await import("./sandbox/own-folder.ts")).ownFolders(home) : undefined;
  return new LocalRuntime(options, { cwd, top, env, home, settings, createTimeline, findFolder });
}

/**
 * Everything of Granary for one client: settings, sessions, artifacts. The sessions are in this process, or in the hub.
 *
 * @example
 * const runtime = await createRuntime();
 * const session = runtime.session("analysis", { cwd: "project" });
 */
export interface Runtime extends AsyncDisposable {
  readonly settings: Settings;
  /** The default folder of sessions. */
  readonly cwd: string;
  /** @internal The user's variables. */
  readonly env: Environment;
  /** The session of that name in that folder. Nothing is started before its first cell. */
  session(id?: string, choices?: SessionChoices): Session;
  /**
   * Lets Python code call these tools as `tool.name(…)`, in one session or in all; a session's own tools win. The returned
   * function removes them. On Jupyter kernels this applies to those that start from now on.
   */
  serveTools(tools: HostTools, choice?: { readonly session?: string | undefined }): () => void;
  /** The backend of kernels. */
  readonly backend: BackendName;
  /** @internal The place of kernels: this machine, an external gateway, or a running kernel. */
  readonly site: KernelSite;
  /** @internal The inputs for a kernel of that session in that folder. */
  startContext(id: string, cwd?: string, kernel?: string): Promise<StartContext>;
  /** @internal All sessions that were used, with or without a kernel. */
  readonly sessions: readonly SharedSession[];
  /** @internal The folder, interpreter and backend of a session of this runtime. */
  keyOf(session: SharedSession): SessionKey | undefined;
  /** The running executions and the latest finished ones, the oldest first. */
  readonly executions: readonly Execution[];
  execution(id: string): Execution | undefined;
  /** @internal Work of a session that is no cell, such as a command; the caller settles it. */
  beginWork(id: string, cell: Cell, signal?: AbortSignal, by?: string): Execution;
  /** @internal Captures the output of a command of that session, within the budget; the rest goes into the session's artifacts. */
  createCapture(id: string, mostBytes?: number): ExecutionCapture;
  /** @internal The artifacts of that session. */
  artifactsOf(id: string): ArtifactStore;
  /** The folder for lookups: `findArtifact(granary.artifactRoot, address)`. */
  readonly artifactRoot: string;
  /** @internal The ids of the artifacts that this runtime has made; others in the same folder belong to other processes. */
  readonly ownArtifacts: ReadonlySet<string>;
  /** Ends everything that was started; sessions in the hub stay. */
  close(): Promise<void>;
}
