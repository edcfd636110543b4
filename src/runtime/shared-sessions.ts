import type { OnHostCall } from "../kernel/host-call.ts";
import type { StartKernel } from "../session/kernel-life/succession.ts";
import type { Owners } from "../session/session.ts";
import type { SessionKey, SessionPool } from "../session/session-pool.ts";
import type { Settings } from "../settings/settings.ts";
import type { WarmStarts } from "./warm/warm-starts.ts";

/** The sessions that several runtimes of one process share, as the clients of the hub do. */
export interface SharedSessions {
  readonly pool: SessionPool;
  readonly owners: Owners;
  /**
   * That runtime uses the session from now on, and its tools are called first.
   * @param starts whether it starts the next kernel: not where it joined a session that others made in another way
   */
  use(key: SessionKey, source: SessionSource, { starts }: { readonly starts: boolean }): void;
  /** That runtime has closed. */
  forget(source: SessionSource): void;
  /** The warm interpreters for these settings: kernels are forked from them, so they outlive the runtime. */
  warm(python: Settings["python"], make: () => WarmStarts): WarmStarts;
}

/** A runtime, as the origin of kernels and tools of shared sessions. */
export interface SessionSource {
  readonly python: Settings["python"];
  starter(key: SessionKey): StartKernel;
  /** Undefined while no tools are served to that session. */
  tools(key: SessionKey): OnHostCall | undefined;
}
