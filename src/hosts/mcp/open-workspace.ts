import type { LoadBackend } from "../../runtime/backend/load-backend.ts";
import { conversationDefaults } from "../../runtime/conversation-defaults.ts";
import { checkNames } from "../../runtime/options/check-options.ts";
import { createRuntime, type Runtime } from "../../runtime/runtime.ts";
import type { Settings, SettingsOverrides } from "../../settings/settings.ts";
import type { Environment } from "../../support/environment.ts";
import { keep } from "../../tools/code/keep.ts";
import { usualResultBytes } from "../../tools/code/result-budget.ts";
import { createToolbox, type Toolbox } from "../../tools/toolbox.ts";
import type { AgentContext } from "./agent-context.ts";
import { WaitingCalls } from "./call/waiting-calls.ts";
import { listNotebooks } from "./resources/list-notebooks.ts";
import { listOwnArtifacts } from "./resources/list-own-artifacts.ts";
import { createResources } from "./resources/resources.ts";
import type { Workspace } from "./workspace.ts";

export interface WorkspaceOptions {
  /** The working folder of Python, and the base of relative paths. */
  readonly cwd: string;
  /** File tools see only these folders; undefined for no limit. */
  readonly roots?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly interpreter?: string | undefined;
  readonly backend?: Settings["python"]["backend"] | undefined;
  /** Whether the folder's own files may run code; by default as the user has told `granary trust`. */
  readonly trust?: boolean | undefined;
  readonly sandbox?: NonNullable<SettingsOverrides["python"]>["sandbox"];
  /** Whether several users share the machine and must not read each other's artifacts. */
  readonly ownArtifactsOnly?: boolean | undefined;
  readonly env: Environment;
  readonly stderr?: { write(text: string): unknown } | undefined;
  /** @internal */
  readonly loadBackend?: LoadBackend | undefined;
}

const optionNames: Readonly<Record<keyof WorkspaceOptions, true>> = {
  ...{ cwd: true, roots: true, readOnly: true, interpreter: true, backend: true, trust: true, sandbox: true },
  ...{ ownArtifactsOnly: true, env: true, stderr: true, loadBackend: true },
};

/**
 * A workspace with a runtime of its own, so that other users of the server cannot see its sessions.
 *
 * @example
 * const workspace = await openWorkspace({ cwd: "project", env: process.env });
 * const agent = await workspace.openAgent({ session: "main", owner: "me" });
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  await checkNames("openWorkspace", options, optionNames);
  const { cwd, env, stderr, loadBackend, roots, readOnly, ownArtifactsOnly } = options;
  const { interpreter, backend, sandbox } = options;
  const settings = { python: { interpreter, backend, sandbox } };
  const defaults = conversationDefaults;
  const runtime = await createRuntime({ cwd, env, stderr, loadBackend, settings, defaults, trust: options.trust });
  return {
    openAgent: async (choice) =>
      agentWith(
        await createToolbox({ runtime, roots, readOnly, ownArtifactsOnly, resultBytes: usualResultBytes, ...choice }),
        runtime,
      ),
    close: () => runtime.close(),
  };
}

function agentWith(toolbox: Toolbox, runtime: Runtime): AgentContext {
  const { context, notices, help } = toolbox;
  const waiting = new WaitingCalls();
  return {
    get tools() {
      return toolbox.tools;
    },
    notices,
    waiting,
    resources: createResources({
      read: toolbox.find("read"),
      help,
      listNotebooks: () => listNotebooks(() => context.roots ?? [context.cwd], context.cwd),
      listArtifacts: () => listOwnArtifacts(runtime),
    }),
    resultBytes: context.resultBytes,
    keep: (content, mimeType) => keep(context, context.session, content, mimeType),
    onToolsChanged: (listener) => toolbox.onToolsChanged(listener),
    close: async () => {
      waiting.cancelAll();
      await toolbox.close();
    },
  };
}
