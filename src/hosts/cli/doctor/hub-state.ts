import type { HubFacts } from "../../../hub/session-facts.ts";
import type { Settings } from "../../../settings/settings.ts";
import { ownVersion } from "../../../support/files/own-version.ts";
import type { CommandContext } from "../command/command-context.ts";
import { askRunningHub } from "../hub/hub-control.ts";

/** The hub of this user: off, not running, running with so many sessions, or a problem. */
export type HubState =
  | { readonly state: "never" | "none" }
  | {
      readonly state: "running";
      readonly pid: number;
      readonly version: string;
      readonly sessions: number;
      /** Set when it is of another version than this command, whose own this is. */
      readonly unlike?: string;
    }
  | { readonly state: "problem"; readonly problem: string };

/** Starts nothing. */
export async function hubState(
  { hub }: Settings,
  context: CommandContext,
  homeProblem: string | null,
): Promise<HubState> {
  if (hub.use === "never") return { state: "never" };
  try {
    const facts = await askRunningHub<HubFacts>(context, "status");
    if (facts === null && homeProblem !== null) return { state: "problem", problem: `cannot start: ${homeProblem}` };
    if (facts === null) return { state: "none" };
    const { pid, version, sessions } = facts;
    const own = await ownVersion();
    return { state: "running", pid, version, sessions: sessions.length, ...(version !== own && { unlike: own }) };
  } catch (error) {
    return { state: "problem", problem: (error as Error).message };
  }
}

export function sayHubState(hub: HubState): string {
  switch (hub.state) {
    case "never":
      return "never (hub.use)";
    case "none":
      return "none; the first client that needs it starts it";
    case "running":
      return `Granary ${hub.version}, process ${hub.pid}, sessions: ${hub.sessions}`;
    case "problem":
      return hub.problem;
  }
}
