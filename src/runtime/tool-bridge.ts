import type { LoopbackServer } from "../bridge/loopback-server.ts";
import type { HostTools, OnHostCall } from "../kernel/host-call.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { BridgeAddress } from "../session/bootstrap/bootstrap.ts";
import type { KernelListener } from "../session/kernel-life/start-in-time.ts";
import type { SessionKey } from "../session/session-pool.ts";
import type { KernelSite } from "./backend/choose-backend.ts";
import { ServedTools } from "./served-tools.ts";

/** What a kernel is told of the host's tools at its start. */
export type BridgeOffer = BridgeAddress | { readonly whyNot: string } | undefined;

/** The way from Python code to the host's tools, for all sessions of a runtime. */
export class ToolBridge {
  readonly #tools = new ServedTools();
  #server: LoopbackServer | undefined;

  serve(tools: HostTools, session: string | null): () => void {
    return this.#tools.serve(tools, session);
  }

  /** Answers the calls of one session. */
  dispatcher(key: SessionKey): OnHostCall {
    return this.#tools.dispatcher(key);
  }

  /**
   * Starts a kernel that knows where to call. The runner's own wire carries calls. Other kernels on this machine are
   * given an address, which is good for as long as they live; those elsewhere could not reach it.
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
  "This kernel runs behind somebody's Jupyter gateway, from where the host's tools cannot be reached. " +
  "Code that calls tools needs a kernel on the host's own machine.";

const nobodyServed = "Nobody served tools to this session when its kernel was started. Reset the session to try again.";
