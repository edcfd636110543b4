import { GranaryError, type GranaryErrorDetails } from "../support/granary-error.ts";
import type { JsonValue } from "../support/json/value.ts";

/** What code in a kernel wants of its host: `tool.read(path="a.txt")`. */
export interface KernelCall {
  /** The tool's name; `listTools` asks for all of them. */
  readonly name: string;
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Whether Python's main thread waits, which an interrupt reaches; another thread has to be told of one. */
  readonly onMainThread: boolean;
}

export type HostCallArguments = Readonly<Record<string, JsonValue>>;

/** No tool has this name: the answer is a list of `HostToolFacts`. */
export const listTools = "";

/** Answers the calls of one kernel. What it throws becomes an exception in Python: `ToolError`, with its code. */
export type OnHostCall = (call: KernelCall) => Promise<HostAnswer>;

/** What Python gets: text with more beside it, as tools answer, or any value at all. */
export type HostAnswer = ToolAnswer | { readonly value: JsonValue };

export interface ToolAnswer {
  /** A `str` in Python. */
  readonly text: string;
  /** Its `.structured`. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined;
  /** Its `.images`. */
  readonly images?: readonly HostImage[] | undefined;
}

export interface HostImage {
  readonly base64: string;
  readonly mimeType: string;
}

/** What whoever has tools for Python code is asked. */
export interface HostTools {
  /** What `tool.names()` and `tool.help("read")` tell. A tool that is not listed is not called. */
  list(): readonly HostToolFacts[];
  /** Makes one call. What it throws is a `ToolError` in Python; throw a `HostCallError` to choose its code. */
  call(call: HostCall): Promise<HostAnswer>;
}

export interface HostToolFacts {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
}

export interface HostCall {
  /** From where: the session's id, and its folder. */
  readonly session: string;
  readonly cwd: string;
  readonly name: string;
  readonly args: Readonly<Record<string, JsonValue>>;
  /** Aborted when the cell is interrupted, or the kernel ends. */
  readonly signal: AbortSignal;
}

export interface HostCallErrorDetails extends GranaryErrorDetails {
  /** `error.code` in Python. */
  readonly code: string;
  /** For programs; `error.structured` in Python. */
  readonly structured?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Why a tool has no answer. Becomes Python's `ToolError`, with the code that the tool chooses.
 *
 * @example
 * throw new HostCallError("not-found", "There is no such order.");
 */
export class HostCallError extends GranaryError<"tool-failed", HostCallErrorDetails> {
  override readonly name = "HostCallError";

  constructor(
    code: string,
    message: string,
    { structured, cause }: { readonly structured?: HostCallErrorDetails["structured"]; readonly cause?: unknown } = {},
  ) {
    super("tool-failed", message, { details: { code, structured }, cause });
  }
}
