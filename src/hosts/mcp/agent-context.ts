import type { Tool } from "../../tools/definition/tool.ts";
import type { WaitingCalls } from "./call/waiting-calls.ts";
import type { Resources } from "./resources/resources.ts";

/**
 * What an agent works at: its tools, with the session that they use when nobody names another, and what can be read
 * beside them. Connections come and go, and in the newer revision of the protocol every request is one; the agent stays.
 */
export interface AgentContext {
  /** Asked anew for every listing: a cell may define tools. */
  readonly tools: readonly Tool[];
  /** What an agent should know before its first call, such as why there is no Python. */
  readonly notices: readonly string[];
  /** @internal */
  readonly resources: Resources;
  /** @internal Calls that wait for a person to answer. */
  readonly waiting: WaitingCalls;
  /** How large a result may be, in bytes. */
  readonly resultBytes: number;
  /** Keeps what is too large for a result, and says where: `artifact://…`; null when it could not. */
  keep(content: Uint8Array | string, mimeType: string): Promise<string | null>;
  /** The function it returns stops that. */
  onToolsChanged(listener: () => void): () => void;
  /** Ends calls that wait, and leaves the sessions. */
  close(): Promise<void>;
}
