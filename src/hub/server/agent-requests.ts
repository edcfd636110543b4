import { resolve } from "node:path";
import { mimeTypeOf } from "../../output/artifacts/artifact-kinds.ts";
import { listArtifacts } from "../../output/artifacts/read/list-artifacts.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { keep } from "../../tools/code/keep.ts";
import { jsonSchema } from "../../tools/definition/json-schema.ts";
import type { Tool, ToolResult } from "../../tools/definition/tool.ts";
import type { AgentCall, AgentFacts, ToolFacts } from "../agent-wire.ts";
import type { IncomingCall } from "../wire/peer.ts";
import { decodeWish } from "./decode-wish.ts";
import type { Hub, HubClient, HubRequests } from "./hub.ts";
import { type HubAgent, HubAgents } from "./hub-agents.ts";
import { watchMadeSession } from "./living-beside.ts";

const agentsOf = new WeakMap<Hub, HubAgents>();

/** The tools of an agent, which run in the hub: a call continues when its host is gone. */
export const agentRequests: HubRequests = (hub, client) => {
  const agents = agentsOf.get(hub) ?? new HubAgents(hub);
  agentsOf.set(hub, agents);
  let mine: HubAgent | null = null;
  const agent = (): HubAgent => {
    if (mine === null) throw new GranaryError("hub-protocol", "The client has opened no agent.");
    return mine;
  };
  return {
    "agent.open": async (wish: unknown): Promise<AgentFacts> => {
      const opened = await agents.open(decodeWish(wish));
      if (mine === null) follow(opened, client, agents);
      mine = opened;
      const { toolbox } = opened;
      const id = `${process.pid} ${hub.startedAt}`;
      return { hub: id, tools: toolbox.tools.map(toolFacts), notices: toolbox.notices, help: [...toolbox.help] };
    },
    "agent.call": (called: AgentCall, call: IncomingCall) => callTool(hub, agent(), { client, called, call }),
    "agent.keep": async ({ mimeType }: { readonly mimeType: string }, { body }: IncomingCall) => {
      const { context } = agent().toolbox;
      return keep(context, context.session, body ?? "", mimeType);
    },
    "agent.artifacts": async () => {
      const { artifactRoot, ownArtifacts } = agent().runtime;
      const all = ownArtifacts.size === 0 ? [] : await listArtifacts(artifactRoot);
      const own = all.filter(({ id }) => ownArtifacts.has(id)).slice(0, mostArtifacts);
      return own.map(({ id, ending, bytes }) => ({ id, bytes, mimeType: mimeTypeOf(ending) }));
    },
  };
};

/** A longer list is useless; older artifacts can still be read by address. */
const mostArtifacts = 50;

function follow(agent: HubAgent, { peer }: HubClient, agents: HubAgents): void {
  agent.connections += 1;
  const stop = agent.toolbox.onToolsChanged(() => peer.say("tools", agent.toolbox.tools.map(toolFacts)));
  void peer.closed.then(() => {
    stop();
    agents.disconnect(agent);
  });
}

interface ToolRequest {
  readonly client: HubClient;
  readonly called: AgentCall;
  readonly call: IncomingCall;
}

async function callTool(hub: Hub, agent: HubAgent, { client, called, call }: ToolRequest): Promise<ToolResult> {
  const { tool: name, input, question } = called;
  const { peer } = client;
  const tool = agent.toolbox.find(name);
  if (tool === undefined) throw new GranaryError("unknown-tool", `There is no tool ${name} any more.`);
  const { session, cwd } = namesIn(input);
  const { context } = agent.toolbox;
  // An agent with roots has no business in other folders.
  const mayBeElsewhere = session !== null && context.roots === null;
  const elsewhere = mayBeElsewhere ? watchMadeSession(hub, session, resolve(context.cwd, cwd ?? ".")) : null;
  const result = await tool.run(input, {
    signal: call.cancelled,
    // The latest one is enough for a host that is behind.
    onUpdate: (update) => void (peer.isBehind || call.tell(update)),
    answer:
      question === null
        ? undefined
        : (prompt, password, signal) => peer.request<string>("answer", { question, prompt, password }, { signal }),
  });
  const checked = tool.outputSchema.safeParse(result.structured);
  // A lost answer is not the place for news.
  const news = call.gone.aborted ? [] : [...takeNews(agent, session), elsewhere?.() ?? null].filter(isText);
  return {
    ...result,
    structured: checked.success ? checked.data : result.structured,
    content: [...result.content, ...news.map((text) => ({ type: "text" as const, text }))],
  };
}

function isText(value: string | null): value is string {
  return value !== null;
}

/** The session and the folder that an input names. The tool checks the rest. */
function namesIn(input: unknown): { readonly session: string | null; readonly cwd: string | null } {
  const { session, cwd } = (input ?? {}) as { readonly session?: unknown; readonly cwd?: unknown };
  return { session: typeof session === "string" ? session : null, cwd: typeof cwd === "string" ? cwd : null };
}

function takeNews(agent: HubAgent, session: string | null): readonly string[] {
  const beside = agent.beside?.(session) ?? null;
  const news = [...agent.news, ...(beside === null ? [] : [beside])];
  agent.news = [];
  agent.beside = null;
  return news;
}

function toolFacts({ name, title, description, inputSchema, outputSchema, hints }: Tool): ToolFacts {
  const input = jsonSchema(inputSchema, "input");
  return { name, title, description, input, output: jsonSchema(outputSchema, "output"), hints };
}
