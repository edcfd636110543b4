import type { AgentContext } from "./agent-context.ts";

/** What a client may put before a model, once per conversation. */
export function instructions({ notices, tools }: Pick<AgentContext, "notices" | "tools">): string {
  const has = (name: string): boolean => tools.some((tool) => tool.name === name);
  return [
    has("python") && "Variables stay from call to call, and every result says so when they are gone.",
    has("notebook") && `Edit ${has("python") ? "and run " : ""}.ipynb files with the tool notebook.`,
    "What is too long for a result is an artifact: read its artifact:// address, in ranges.",
    "The resources granary://help/NAME tell more about each tool.",
    ...notices,
  ]
    .filter((sentence) => sentence !== false)
    .join(" ");
}
