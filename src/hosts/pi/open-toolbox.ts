import { openHubToolbox } from "../../hub/client/hub-toolbox.ts";
import { conversationDefaults } from "../../runtime/conversation-defaults.ts";
import { createRuntime } from "../../runtime/runtime.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { loadSettings } from "../../settings/load-settings.ts";
import { ownVersion } from "../../support/files/own-version.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import { identityOf } from "../../support/process/process-identity.ts";
import { createToolbox, type Toolbox } from "../../tools/toolbox.ts";

export interface PiConversation {
  readonly cwd: string;
  /** pi's id of the conversation, which names the default session: a resumed conversation finds its variables. */
  readonly session: string;
  readonly sessionFile: string | undefined;
  readonly tell: (line: string) => void;
}

export interface OpenedToolbox {
  readonly toolbox: Pick<Toolbox, "tools" | "find" | "notices">;
  close(): Promise<void>;
}

/** The tools of a conversation: in the hub, or in this process where the hub is not wanted or not available. */
export async function openToolbox(conversation: PiConversation): Promise<OpenedToolbox> {
  return (await openInHub(conversation)) ?? openHere(conversation);
}

async function openInHub({ cwd, session, sessionFile, tell }: PiConversation): Promise<OpenedToolbox | null> {
  const { env } = process;
  const home = granaryHome(env);
  const { values } = await loadSettings({ cwd, env, home, defaults: conversationDefaults });
  if (values.hub.use === "never" || values.python.kernelMode === "per-call" || process.platform === "win32")
    return null;
  const wish = {
    ...{ key: `pi ${session}`, session, label: "pi", client: identityOf(process.pid) },
    ...{ cwd, env: { ...env }, sessionFile, resultBytes: null },
  };
  try {
    const toolbox = await openHubToolbox(wish, { home, env, version: await ownVersion() });
    return { toolbox, close: () => toolbox.close() };
  } catch (error) {
    if (!isGranaryError(error) || !error.code.startsWith("hub-")) throw error;
    tell(`${error.message}\n`);
    return null;
  }
}

async function openHere({ cwd, session, sessionFile, tell }: PiConversation): Promise<OpenedToolbox> {
  const runtime = await createRuntime({
    cwd,
    defaults: conversationDefaults,
    host: { sessionFile },
    stderr: { write: tell },
  });
  const toolbox = await createToolbox({ runtime, session, owner: "pi" });
  return {
    toolbox,
    close: async () => {
      await toolbox.close();
      await runtime.close();
    },
  };
}
