import type { AgentContext } from "./agent-context.ts";

/** Everything that one user of a server shares between its connections: a runtime with its kernels, and agents at it. */
export interface Workspace {
  openAgent(choice: AgentChoice): Promise<AgentContext>;
  /** Ends every kernel. */
  close(): Promise<void>;
}

export interface AgentChoice {
  /** The Python session of calls that name none. */
  readonly session: string;
  /** Who holds the sessions that are used at this agent. */
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}
