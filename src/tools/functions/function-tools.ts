import type { Session } from "../../session/session.ts";
import type { SharedSession } from "../../session/shared-session.ts";
import type { ToolContext } from "../context/tool-context.ts";
import type { Tool } from "../definition/tool.ts";
import { createFunctionTool } from "./function-tool.ts";

/** Functions that cells of an agent's sessions have marked with `@tool`, as tools; they come and go with the kernels. */
export class FunctionTools {
  readonly #sessions = new Map<SharedSession, { readonly session: Session; readonly stop: () => void }>();
  readonly #listeners = new Set<() => void>();
  readonly #told = new Set<string>();

  /** Adds this session's functions to the tools. */
  follow(session: Session): void {
    if (this.#sessions.has(session.shared)) return;
    const stop = session.pythonTools.watch(() => {
      for (const listener of [...this.#listeners]) listener();
    });
    this.#sessions.set(session.shared, { session, stop });
  }

  /** Removes the functions of a session that has ended. */
  unfollow(session: Session): void {
    this.#sessions.get(session.shared)?.stop();
    this.#sessions.delete(session.shared);
  }

  /** The first function of each name, except names of existing tools. */
  list(context: ToolContext, taken: ReadonlySet<string>): readonly Tool[] {
    const names = new Set(taken);
    const definitions = [...this.#sessions.values()].flatMap(({ session }) =>
      session.pythonTools.list.map((definition) => ({ session, definition })),
    );
    return definitions.flatMap(({ session, definition }) => {
      if (names.has(definition.name)) return [];
      names.add(definition.name);
      return [createFunctionTool(context, session, definition) as Tool];
    });
  }

  /** A sentence for each function whose name a tool already has; each is reported once. */
  takeNotices(taken: ReadonlySet<string>): readonly string[] {
    const names = [...this.#sessions.values()].flatMap(({ session }) =>
      session.pythonTools.list.map(({ name }) => name),
    );
    const news = [...new Set(names)].filter((name) => taken.has(name) && !this.#told.has(name));
    for (const name of news) this.#told.add(name);
    return news.map(
      (name) => `The function ${name} is not offered: there is a tool of that name. Choose another: @tool(name="…").`,
    );
  }

  /** Calls back when the list has changed; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    for (const { stop } of this.#sessions.values()) stop();
    this.#sessions.clear();
  }
}
