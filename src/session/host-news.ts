import type { KernelEvent } from "../kernel/events.ts";
import type { JsonValue } from "../support/json/value.ts";

/** What Python code has to tell the host alone: a display that nobody is shown. */
export type HostNews =
  | { readonly op: "tools"; readonly tools: readonly PythonTool[] }
  | { readonly op: "returned"; readonly value: JsonValue };

/** A Python function that was marked with `@tool`. */
export interface PythonTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, made of the function's type hints. */
  readonly inputSchema: Readonly<Record<string, JsonValue>>;
  /** Whether it is an `async def`. */
  readonly awaits: boolean;
}

/** The same in `python/granary_prelude/python_tools.py`. */
export const hostNewsType = "application/x-granary-host";

/** Null for everything else, which is for people. */
export function hostNews(event: KernelEvent): HostNews | null {
  if (event.type !== "display") return null;
  const news = event.data[hostNewsType];
  return news === undefined ? null : (news as unknown as HostNews);
}
