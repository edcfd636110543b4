import type { AgentContext } from "./agent-context.ts";

/** State that one user's connections share: a runtime with its kernels, and its agents. */
export interface Workspace {
  openAgent(choice: AgentChoice): Promise<AgentContext>;
  /** Ends every kernel. */
  close(): Promise<void>;
}

export interface AgentChoice {
  /** The default Python session. */
  readonly session: string;
  /** The owner of the sessions that this agent uses. */
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}
