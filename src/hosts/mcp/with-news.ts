import type { Tool } from "../../tools/definition/tool.ts";
import type { AgentContext } from "./agent-context.ts";

/** The agent, whose first result also has these sentences: a model sees results, and not the server's standard error. */
export function withNews(agent: AgentContext, sentences: readonly string[]): AgentContext {
  let untold = sentences;
  const telling = (tool: Tool): Tool => ({
    ...tool,
    run: async (input, call) => {
      const result = await tool.run(input, call);
      const news = untold.map((sentence) => ({ type: "text" as const, text: `Note: ${sentence}` }));
      untold = [];
      return { ...result, content: [...result.content, ...news] };
    },
  });
  return {
    ...agent,
    get tools() {
      return untold.length === 0 ? agent.tools : agent.tools.map(telling);
    },
  };
}
