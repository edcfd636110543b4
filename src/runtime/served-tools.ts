import { nobodyServes } from "../kernel/answer-call.ts";
import { type HostToolFacts, type HostTools, listTools, type OnHostCall } from "../kernel/host-call.ts";
import { GranaryError } from "../support/granary-error.ts";
import type { JsonValue } from "../support/json/value.ts";

interface Served {
  readonly tools: HostTools;
  /** Null for all sessions. */
  readonly session: string | null;
}

/** Which tools the Python code of which session may call. They may come and go while kernels live. */
export class ServedTools {
  readonly #served: Served[] = [];

  /** A session's own win over those for all, and later ones over earlier ones. The function it returns takes them back. */
  serve(tools: HostTools, session: string | null): () => void {
    const served = { tools, session };
    this.#served.unshift(served);
    return () => {
      const place = this.#served.indexOf(served);
      if (place >= 0) this.#served.splice(place, 1);
    };
  }

  for(session: string): HostTools | undefined {
    const own = this.#served.find((each) => each.session === session);
    return (own ?? this.#served.find((each) => each.session === null))?.tools;
  }

  /** Answers the calls of one session. */
  dispatcher({ id, cwd }: { readonly id: string; readonly cwd: string }): OnHostCall {
    return async ({ name, args, signal }) => {
      const tools = this.for(id);
      if (tools === undefined) throw new GranaryError("no-tools", nobodyServes);
      const listed = tools.list();
      if (name === listTools) return { value: listed as unknown as JsonValue };
      if (!listed.some((tool) => tool.name === name)) throw await unknownTool(name, listed);
      return tools.call({ session: id, cwd, name, args, signal });
    };
  }
}

async function unknownTool(name: string, listed: readonly HostToolFacts[]): Promise<GranaryError> {
  const { closest } = await import("../support/closest.ts");
  const known = listed.map((tool) => tool.name);
  const near = closest(name, known);
  const meant = near === null ? "" : ` Did you mean ${near}?`;
  return new GranaryError(
    "unknown-tool",
    `There is no tool ${name}.${meant} There are: ${known.join(", ") || "none"}.`,
  );
}
