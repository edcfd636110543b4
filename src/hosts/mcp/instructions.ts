import { ownFormsExplained } from "../../output/own-lines.ts";
import type { AgentContext } from "./agent-context.ts";

/** Instructions that a client may give to the model, once per conversation. */
export function instructions({ notices, tools }: Pick<AgentContext, "notices" | "tools">): string {
  const has = (name: string): boolean => tools.some((tool) => tool.name === name);
  return [
    has("python") && "Variables persist between calls, and a result says when they are lost.",
    has("notebook") && `Edit ${has("python") ? "and run " : ""}.ipynb files with the tool notebook.`,
    "Output too long for a result becomes an artifact: read its artifact:// address in ranges.",
    has("python") && ownFormsExplained,
    "The resources granary://help/NAME say more about each tool.",
    ...notices,
  ]
    .filter((sentence) => sentence !== false)
    .join(" ");
}
