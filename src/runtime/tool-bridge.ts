import type { LoopbackServer } from "../bridge/loopback-server.ts";
import { nobodyServes } from "../kernel/answer-call.ts";
import { type HostToolFacts, type HostTools, listTools, type OnHostCall } from "../kernel/host-call.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { BridgeAddress } from "../session/bootstrap/bootstrap.ts";
import type { KernelListener } from "../session/kernel-life/succession.ts";
import type { SessionKey } from "../session/session-pool.ts";
import { GranaryError } from "../support/granary-error.ts";
import type { JsonValue } from "../support/json/value.ts";
import type { KernelSite } from "./backend/load-backend.ts";

/** The address of the host's tools, which a kernel gets at its start. */
export type BridgeOffer = BridgeAddress | { readonly whyNot: string } | undefined;

/** The bridge from Python code to the host's tools, for all sessions of a runtime. */
export class ToolBridge {
  readonly #tools = new ServedTools();
  #server: LoopbackServer | undefined;

  serve(tools: HostTools, session: string | null): () => void {
    return this.#tools.serve(tools, session);
  }

  serves(session: string): boolean {
    return this.#tools.for(session) !== undefined;
  }

  /** Answers the calls of one session. */
  dispatcher(key: SessionKey): OnHostCall {
    return this.#tools.dispatcher(key);
  }

  /**
   * Starts a kernel that knows where to call. The runner's own wire carries calls. Other kernels on this machine get
   * an address, valid as long as they live; remote kernels could not reach it.
   */
  async launch(
    key: SessionKey,
    { site, listener }: { readonly site: KernelSite; readonly listener: KernelListener | undefined },
    launch: (bridge: BridgeOffer) => Promise<Kernel>,
  ): Promise<Kernel> {
    if (key.backend === "runner" || listener === undefined) return launch(undefined);
    if (site !== "here") return launch({ whyNot: outOfReach });
    if (this.#tools.for(key.id) === undefined) return launch({ whyNot: nobodyServed });
    const { revoke, ...ticket } = await (await this.#open()).admit(key.id, listener.onHostCall);
    try {
      const kernel = await launch(ticket);
      void kernel.exited.then(revoke);
      return kernel;
    } catch (error) {
      revoke();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #open(): Promise<LoopbackServer> {
    const { LoopbackServer } = await import("../bridge/loopback-server.ts");
    this.#server ??= new LoopbackServer();
    return this.#server;
  }
}

const outOfReach =
  "This kernel runs behind an external Jupyter gateway, which cannot reach the host's tools. " +
  "Code that calls tools needs a kernel on the host's own machine.";

const nobodyServed = "No tools were served to this session when its kernel started. Reset the session to try again.";

interface Served {
  readonly tools: HostTools;
  /** Null for all sessions. */
  readonly session: string | null;
}

/** The tools that the Python code of each session may call. They may change while kernels live. */
class ServedTools {
  readonly #served: Served[] = [];

  /** A session's own tools win over those for all, and later ones over earlier ones. The returned function removes them. */
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
