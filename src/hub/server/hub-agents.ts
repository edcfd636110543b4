import { conversationDefaults } from "../../runtime/conversation-defaults.ts";
import { createRuntime, type Runtime } from "../../runtime/runtime.ts";
import type { Execution } from "../../session/execution/execution.ts";
import { firstLineOf } from "../../session/recent-cells.ts";
import { granaryHome } from "../../settings/granary-home.ts";
import { loadSettings } from "../../settings/load-settings.ts";
import { isGranaryError } from "../../support/granary-error.ts";
import { isStillRunning } from "../../support/process/process-identity.ts";
import { createToolbox, type Toolbox } from "../../tools/toolbox.ts";
import type { AgentWish } from "../agent-wire.ts";
import type { Hub } from "./hub.ts";
import { livingBeside } from "./living-beside.ts";

/** An agent, which outlives the connections of its host. */
export interface HubAgent {
  readonly toolbox: Toolbox;
  readonly runtime: Runtime;
  /** Sentences for its next result. */
  news: readonly string[];
  /** Names the sessions that it could join, but for the given one; null after its first result. */
  beside: ((joined: string | null) => string | null) | null;
  connections: number;
  /** Ends it when neither its client nor its work needs it. */
  endIfUnneeded(): void;
}

const sweepMs = 5000;

/** The agents by their client and their options. An agent ends with its client; its sessions stay. */
export class HubAgents {
  readonly #hub: Hub;
  readonly #agents = new Map<string, Promise<HubAgent>>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  async open(wish: AgentWish): Promise<HubAgent> {
    const id = await agentId(wish);
    const known = this.#agents.get(id);
    if (known !== undefined) return known;
    const opened = this.#open(id, wish);
    this.#agents.set(id, opened);
    opened.catch(() => this.#agents.delete(id));
    return opened;
  }

  /** The host of that agent has gone. Its calls continue, and the next connection learns of them. */
  disconnect(agent: HubAgent): void {
    agent.connections -= 1;
    agent.news = [...agent.news, ...agent.toolbox.context.ongoing.awaited.map(cutOff)];
    agent.endIfUnneeded();
  }

  async #open(id: string, wish: AgentWish): Promise<HubAgent> {
    const { key, client, label, cwd, env, settings, trust, sessionFile, roots, readOnly, resultBytes } = wish;
    const runtime = await createRuntime({
      ...{ cwd, env, settings, trust, defaults: conversationDefaults, sessions: this.#hub.sessions },
      host: sessionFile === undefined ? undefined : { sessionFile },
      stderr: { write: (text) => this.#hub.options.log(text.trim()) },
    });
    const session = ownSession(runtime, wish);
    const toolbox = await createToolbox({
      ...{ runtime, session, owner: key, label, roots, readOnly },
      resultBytes: resultBytes ?? undefined,
    });
    const beside = (joined: string | null): string | null =>
      livingBeside(this.#hub, { besides: [session, joined ?? session], cwd, runtime });
    const endIfUnneeded = (): void => {
      // Work continues without the client: commands, and cells, which may call tools.
      const { works, ongoing } = toolbox.context;
      const hasWork = works.size > 0 || ongoing.awaited.length > 0;
      const isNeeded = agent.connections > 0 || hasWork || (client !== null && isStillRunning(client));
      if (isNeeded) return;
      clearInterval(timer);
      if (!this.#agents.delete(id)) return;
      void toolbox.close().then(() => runtime.close());
    };
    // Looks now and then whether the client still runs.
    const timer = setInterval(endIfUnneeded, sweepMs).unref();
    const news = session === wish.session ? [] : [otherOptions(session)];
    const agent: HubAgent = { toolbox, runtime, news, beside, connections: 0, endIfUnneeded };
    return agent;
  }
}

/** A client may start its server again with other options, or two servers at once: one that may only read must not get the tools of the other. */
async function agentId({ key, cwd, env, settings, trust, roots, readOnly, resultBytes, sessionFile }: AgentWish) {
  const sources = { cwd, env, home: granaryHome(env), overrides: settings, defaults: conversationDefaults, trust };
  const { values } = await loadSettings(sources);
  return JSON.stringify([key, cwd, values, trust, roots, readOnly, resultBytes, sessionFile]);
}

/** The name of the agent's default session. The usual one may be alive with another Python or another sandbox. */
function ownSession(runtime: Runtime, { session, key, label }: AgentWish): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? session : `${session} ${number}`;
    try {
      return runtime.session(name, { owner: key, label }).id;
    } catch (error) {
      if (!isGranaryError(error, "session-differs")) throw error;
    }
  }
}

function otherOptions(session: string): string {
  return `This server has other options than before, so its session is a new one, ${session}: earlier variables are not available.`;
}

function cutOff({ id, cell }: Execution): string {
  return (
    `The connection was lost while ${id} (${firstLineOf(cell.code)}) was running. It continued: ` +
    `executions {"action": "wait", "id": "${id}"}`
  );
}
