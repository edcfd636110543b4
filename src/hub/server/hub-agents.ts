import { conversationDefaults } from "../../runtime/conversation-defaults.ts";
import { createRuntime, type Runtime } from "../../runtime/runtime.ts";
import type { Execution } from "../../session/execution/execution.ts";
import { firstLineOf } from "../../session/recent-cells.ts";
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

/** The agents by their key. An agent ends with its client; its sessions stay. */
export class HubAgents {
  readonly #hub: Hub;
  readonly #agents = new Map<string, Promise<HubAgent>>();

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  async open(wish: AgentWish): Promise<HubAgent> {
    const known = this.#agents.get(wish.key);
    if (known !== undefined) return known;
    const opened = this.#open(wish);
    this.#agents.set(wish.key, opened);
    opened.catch(() => this.#agents.delete(wish.key));
    return opened;
  }

  /** The host of that agent has gone. Its calls continue, and the next connection learns of them. */
  disconnect(agent: HubAgent): void {
    agent.connections -= 1;
    agent.news = [...agent.news, ...agent.toolbox.context.ongoing.awaited.map(cutOff)];
    agent.endIfUnneeded();
  }

  async #open(wish: AgentWish): Promise<HubAgent> {
    const { key, client, session, label, cwd, env, settings, trust, sessionFile, roots, readOnly, resultBytes } = wish;
    const runtime = await createRuntime({
      ...{ cwd, env, settings, trust, defaults: conversationDefaults, sessions: this.#hub.sessions },
      host: sessionFile === undefined ? undefined : { sessionFile },
      stderr: { write: (text) => this.#hub.options.log(text.trim()) },
    });
    const toolbox = await createToolbox({
      ...{ runtime, session, owner: key, label, roots, readOnly },
      resultBytes: resultBytes ?? undefined,
    });
    const beside = (joined: string | null): string | null =>
      livingBeside(this.#hub, { besides: [session, joined ?? session], cwd });
    const endIfUnneeded = (): void => {
      // Work continues without the client: commands, and cells, which may call tools.
      const { works, ongoing } = toolbox.context;
      const hasWork = works.size > 0 || ongoing.awaited.length > 0;
      const isNeeded = agent.connections > 0 || hasWork || (client !== null && isStillRunning(client));
      if (isNeeded) return;
      clearInterval(timer);
      if (!this.#agents.delete(key)) return;
      void toolbox.close().then(() => runtime.close());
    };
    // Looks now and then whether the client still runs.
    const timer = setInterval(endIfUnneeded, sweepMs).unref();
    const agent: HubAgent = { toolbox, runtime, news: [], beside, connections: 0, endIfUnneeded };
    return agent;
  }
}

function cutOff({ id, cell }: Execution): string {
  return (
    `The connection was lost while ${id} (${firstLineOf(cell.code)}) was running. It continued: ` +
    `executions {"action": "wait", "id": "${id}"}`
  );
}
