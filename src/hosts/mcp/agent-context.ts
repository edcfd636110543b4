import type { Tool } from "../../tools/definition/tool.ts";
import type { WaitingCalls } from "./call/waiting-calls.ts";
import type { Resources } from "./resources/resources.ts";

/**
 * One agent: its tools, the default session that they use, and its resources. Connections come and go, and in the newer
 * revision of the protocol every request is a connection; the agent context stays.
 */
export interface AgentContext {
  /** Read for every listing: a cell may define tools. */
  readonly tools: readonly Tool[];
  /** Notices for an agent before its first call, such as why there is no Python. */
  readonly notices: readonly string[];
  /** @internal */
  readonly resources: Resources;
  /** @internal Calls that wait for a person's answer. */
  readonly waiting: WaitingCalls;
  /** How large a result may be, in bytes. */
  readonly resultBytes: number;
  /** Keeps content that is too large for a result and returns its address, `artifact://…`; null when that failed. */
  keep(content: Uint8Array | string, mimeType: string): Promise<string | null>;
  /** Returns a function that unsubscribes. */
  onToolsChanged(listener: () => void): () => void;
  /** Ends waiting calls and releases the sessions. */
  close(): Promise<void>;
}
