import type { PythonTool } from "./host-news.ts";

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
