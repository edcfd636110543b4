import { resolve } from "node:path";
import { openHubToolbox } from "../../hub/client/hub-toolbox.ts";
import { conversationDefaults } from "../../runtime/conversation-defaults.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { loadSettings } from "../../settings/load-settings.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import { usualResultBytes } from "../../tools/code/result-budget.ts";
import type { AgentContext } from "./agent-context.ts";
import { WaitingCalls } from "./call/waiting-calls.ts";
import { clientProcess, clientSession } from "./client-process.ts";
import type { WorkspaceOptions } from "./open-workspace.ts";
import { listNotebooks } from "./resources/list-notebooks.ts";
import { createResources } from "./resources/resources.ts";

export interface HubAgentOptions extends WorkspaceOptions {
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** Gets the reason why the hub is not used, where it should be. */
  readonly tell: (sentence: string) => void;
}

const ownSessions =
  "This server has sessions of its own until it is restarted: those of the hub, with their variables, are not available.";

/** The agent of a stdio client, in the hub; null where the hub is not wanted or not available. */
export async function openHubAgent(options: HubAgentOptions): Promise<AgentContext | null> {
  const { cwd, env, roots, readOnly, interpreter, backend, sandbox, trust, version, signal, tell } = options;
  const home = granaryHome(env);
  const settings = { python: { interpreter, backend, sandbox } };
  const { values } = await loadSettings({ cwd, env, home, overrides: settings, defaults: conversationDefaults });
  if (values.hub.use === "never" || values.python.kernelMode === "per-call" || process.platform === "win32")
    return null;
  const client = clientProcess();
  const session = clientSession(client, resolve(cwd));
  const wish = {
    ...{ key: `mcp ${session}`, session, label: client.name, client: client.identity },
    ...{ cwd: resolve(cwd), env: { ...env }, settings, trust, roots, readOnly, resultBytes: usualResultBytes },
  };
  try {
    const toolbox = await openHubToolbox(wish, { home, env, version, signal });
    const waiting = new WaitingCalls();
    const folders = async (): Promise<readonly string[]> => {
      if (values.python.sandbox === "off") return roots ?? [resolve(cwd)];
      const { sandboxRoots } = await import("../../runtime/sandbox/sandbox-roots.ts");
      return sandboxRoots(resolve(cwd), values.python, roots, env);
    };
    return {
      get tools() {
        return toolbox.tools;
      },
      notices: toolbox.notices,
      waiting,
      resources: createResources({
        read: toolbox.find("read"),
        help: toolbox.help,
        listNotebooks: () => listNotebooks(folders, resolve(cwd)),
        listArtifacts: () => toolbox.artifacts(),
      }),
      resultBytes: usualResultBytes,
      keep: (content, mimeType) => toolbox.keep(content, mimeType),
      onToolsChanged: (listener) => toolbox.onToolsChanged(listener),
      close: async () => {
        waiting.cancelAll();
        await toolbox.close();
      },
    };
  } catch (error) {
    if (!isGranaryError(error) || !error.code.startsWith("hub-")) throw error;
    const reason = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
    tell(`${reason} ${ownSessions}`);
    return null;
  }
}
