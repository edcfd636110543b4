import type { SettingsOverrides } from "../settings/settings.ts";
import type { Environment } from "../support/environment.ts";
import type { ProcessIdentity } from "../support/process/process-identity.ts";
import type { ToolHints } from "../tools/definition/tool.ts";

/** A host's request for the tools of an agent, in its folder, with its environment and settings. */
export interface AgentWish {
  /** The same for every process that serves this agent, such as a server that its client restarts. */
  readonly key: string;
  /** The name of the default session. */
  readonly session: string;
  /** The agent's name for people. */
  readonly label: string;
  /** The process whose end ends the agent; null for the one that asks. */
  readonly client: ProcessIdentity | null;
  readonly cwd: string;
  readonly env: Environment;
  readonly settings?: SettingsOverrides | undefined;
  readonly trust?: boolean | undefined;
  readonly sessionFile?: string | undefined;
  readonly roots?: readonly string[] | undefined;
  readonly readOnly?: boolean | undefined;
  /** Null for no limit. */
  readonly resultBytes: number | null;
}

/** An agent of the hub. */
export interface AgentFacts {
  /** Tells this hub apart from the ones before and after it. */
  readonly hub: string;
  readonly tools: readonly ToolFacts[];
  readonly notices: readonly string[];
  readonly help: readonly (readonly [name: string, text: string])[];
}

export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>>;
  readonly hints: ToolHints;
}

export interface AgentCall {
  readonly tool: string;
  readonly input: unknown;
  /** Tells questions of several calls apart; null when the client answers none. */
  readonly question: number | null;
}
