import { z } from "zod";
import type { AgentContext } from "../../../src/hosts/mcp/agent-context.ts";
import { WaitingCalls } from "../../../src/hosts/mcp/call/waiting-calls.ts";
import { createResources, type ResourceSources } from "../../../src/hosts/mcp/resources/resources.ts";
import type { Workspace } from "../../../src/hosts/mcp/workspace.ts";
import { usualResultBytes } from "../../../src/tools/code/result-budget.ts";
import { defineTool } from "../../../src/tools/definition/define-tool.ts";
import type { Tool, ToolCall, ToolContent, ToolResult } from "../../../src/tools/definition/tool.ts";

/** An agent context with a test's own tools, and everything that was kept through it. */
export class TestAgent implements AgentContext {
  tools: readonly Tool[];
  readonly notices: readonly string[];
  readonly resources: AgentContext["resources"];
  readonly waiting = new WaitingCalls();
  readonly resultBytes = usualResultBytes;
  readonly kept: { content: Uint8Array | string; mimeType: string }[] = [];
  readonly #listeners = new Set<() => void>();
  isClosed = false;

  constructor(
    tools: readonly Tool[],
    options: { notices?: readonly string[]; sources?: Partial<ResourceSources> } = {},
  ) {
    this.tools = tools;
    this.notices = options.notices ?? [];
    this.resources = createResources({
      read: undefined,
      help: new Map(),
      listNotebooks: async () => [],
      listArtifacts: async () => [],
      ...options.sources,
    });
  }

  keep: AgentContext["keep"] = async (content, mimeType) => {
    this.kept.push({ content, mimeType });
    return `artifact://kept-${this.kept.length}`;
  };

  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changeTools(tools: readonly Tool[]): void {
    this.tools = tools;
    for (const listener of this.#listeners) listener();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.waiting.cancelAll();
  }
}

/** A workspace where every agent has the same tools. */
export function testWorkspace(tools: readonly Tool[]): Workspace & { readonly agents: TestAgent[] } {
  const agents: TestAgent[] = [];
  return {
    agents,
    async openAgent() {
      const agent = new TestAgent(tools);
      agents.push(agent);
      return agent;
    },
    close: async () => undefined,
  };
}

/** A tool that takes any input and runs a test's function. */
export function toolThat(
  name: string,
  run: (input: { text?: string }, call: ToolCall) => Promise<Partial<ToolResult>>,
): Tool {
  return defineTool({
    name,
    title: name,
    description: `For tests: ${name}.`,
    input: z.object({ text: z.string().optional() }),
    output: z.object({ seen: z.string().optional() }),
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    run: async (input, call) => ({
      content: [],
      isError: false,
      details: {},
      structured: {},
      ...(await run(input as { text?: string }, call)),
    }),
  });
}

export const say = (text: string): { readonly content: readonly ToolContent[] } => ({
  content: [{ type: "text", text }],
});
