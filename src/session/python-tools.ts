import type { KernelEvent } from "../kernel/events.ts";
import type { JsonValue } from "../support/json/value.ts";

/** The functions of a session's kernel that were marked with `@tool`. They are gone when the kernel is. */
export class PythonTools {
  readonly #watchers = new Set<(tools: readonly PythonTool[]) => void>();
  #list: readonly PythonTool[] = [];

  get list(): readonly PythonTool[] {
    return this.#list;
  }

  /** Tells every change from now on; the function it returns stops that. */
  watch(watcher: (tools: readonly PythonTool[]) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  replace(tools: readonly PythonTool[]): void {
    const isStillEmpty = tools.length === 0 && this.#list.length === 0;
    this.#list = tools;
    if (!isStillEmpty) for (const watcher of [...this.#watchers]) tell(watcher, tools);
  }
}

/** What a watcher throws is its own affair: the cell goes on. */
function tell(watcher: (tools: readonly PythonTool[]) => void, tools: readonly PythonTool[]): void {
  try {
    watcher(tools);
  } catch {}
}

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
