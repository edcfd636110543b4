import { preflight } from "../../runtime/preflight.ts";
import type { ToolContext } from "./tool-context.ts";

/** Which kinds of tools an agent has: both, only Python, or only bash. */
export interface ToolMode {
  readonly hasPython: boolean;
  readonly hasBash: boolean;
  /** Why there is no Python although there should be. */
  readonly notices: readonly string[];
}

/** As `python.toolMode` has it. Where Python cannot be had, commands can, and the agent is told why. */
export async function toolMode({ granary, session, cwd }: ToolContext, signal?: AbortSignal): Promise<ToolMode> {
  const wish = granary.settings.python.toolMode;
  if (wish === "bash-only") return onlyBash([]);
  const found = await preflight(await granary.startContext(session, cwd), signal);
  if (found.available) return { hasPython: true, hasBash: wish === "both", notices: [] };
  const reason = `${found.reason} ${found.remedy}`.trim();
  return onlyBash([`Python is not available, so there are only the other tools. ${reason}`]);
}

function onlyBash(notices: readonly string[]): ToolMode {
  return { hasPython: false, hasBash: true, notices };
}
