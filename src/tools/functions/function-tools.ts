import type { Lease } from "../../session/session.ts";
import type { Session } from "../../session/shared-session.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { Tool } from "../definition/tool.ts";
import { createFunctionTool } from "./function-tool.ts";

/** The functions that cells of an agent's sessions have marked with `@tool`, as tools; they come and go with the kernels. */
export class FunctionTools {
  readonly #leases = new Map<Session, { readonly lease: Lease; readonly stop: () => void }>();
  readonly #listeners = new Set<() => void>();
  readonly #told = new Set<string>();

  /** From now on, this session's functions are tools, too. */
  follow(lease: Lease): void {
    if (this.#leases.has(lease.session)) return;
    const stop = lease.pythonTools.watch(() => {
      for (const listener of [...this.#listeners]) listener();
    });
    this.#leases.set(lease.session, { lease, stop });
  }

  /** The first of each name; those of tools that there are already are not taken. */
  list(context: ToolContext, taken: ReadonlySet<string>): readonly Tool[] {
    const names = new Set(taken);
    const definitions = [...this.#leases.values()].flatMap(({ lease }) =>
      lease.pythonTools.list.map((definition) => ({ lease, definition })),
    );
    return definitions.flatMap(({ lease, definition }) => {
      if (names.has(definition.name)) return [];
      names.add(definition.name);
      return [createFunctionTool(context, lease, definition) as Tool];
    });
  }

  /** A sentence for each function that is no tool because there is one of its name already; whoever defined it is told once. */
  takeNotices(taken: ReadonlySet<string>): readonly string[] {
    const names = [...this.#leases.values()].flatMap(({ lease }) => lease.pythonTools.list.map(({ name }) => name));
    const news = [...new Set(names)].filter((name) => taken.has(name) && !this.#told.has(name));
    for (const name of news) this.#told.add(name);
    return news.map(
      (name) => `The function ${name} is not offered: there is a tool of that name. Choose another: @tool(name="…").`,
    );
  }

  /** Calls back when the list has changed; the function it returns stops that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    for (const { stop } of this.#leases.values()) stop();
    this.#leases.clear();
  }
}
