import { setImmediate as nextTurn } from "node:timers/promises";
import { nobodyServes } from "../../kernel/answer-call.ts";
import { ExecutionCapture } from "../../output/execution-capture.ts";
import type { SessionSource, SharedSessions } from "../../runtime/shared-sessions.ts";
import { timelines } from "../../runtime/timelines.ts";
import type { WarmStarts } from "../../runtime/warm/warm-starts.ts";
import type { Execution } from "../../session/execution/execution.ts";
import type { Consent, StartKernel } from "../../session/kernel-life/succession.ts";
import type { LocalSession, SessionLineChange } from "../../session/local-session.ts";
import { Owners } from "../../session/session.ts";
import { type SessionKey, SessionPool, sessionNameOf } from "../../session/session-pool.ts";
import type { Settings } from "../../settings/settings.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { isMemoryShort } from "../../support/process/available-memory.ts";
import { memoryNow } from "./memory-now.ts";

export interface HubSessionsOptions {
  readonly settings: Pick<Settings, "hub" | "python">;
  /** The number of the first execution: ids of an earlier hub must not mean anything else in this one. */
  readonly firstExecution: number;
  /** Called with every cell when it is queued. */
  readonly onExecution: (execution: Execution, key: SessionKey) => void;
  /** Called when cells of a session are undone, or are back. */
  readonly onLine: (change: SessionLineChange, key: SessionKey) => void;
  readonly onRemoved: (key: SessionKey) => void;
  /** Called with work that is no cell, such as a command. */
  readonly onWork: (work: Execution) => void;
}

/** For pages and other visitors, which have no way to trust a folder. */
const asTheUserTold = async (): Promise<undefined> => undefined;

/** A client's runtime, as a user of one session. */
interface UsingSource {
  readonly source: SessionSource;
  readonly starts: boolean;
  /** Its client has left; it stands in until another one starts kernels. */
  readonly isGone?: boolean;
}

/** The sessions of all clients: one pool, whose kernels are started as the client that used the session last wants it. */
export class HubSessions implements SharedSessions {
  readonly owners = new Owners();
  readonly pool: SessionPool;
  readonly #sources = new Map<string, readonly UsingSource[]>();
  readonly #warm = new Map<string, WarmStarts>();

  constructor({ settings, firstExecution, onExecution, onLine, onRemoved, onWork }: HubSessionsOptions) {
    const { hub, python } = settings;
    this.pool = new SessionPool({
      start: (key) => {
        const start: StartKernel = (signal, listener, consent = asTheUserTold) =>
          this.#latest(key).starter(key)(signal, listener, consent);
        const check = async (consent: Consent = asTheUserTold) => this.#latest(key).starter(key).check?.(consent);
        return Object.assign(start, { check });
      },
      onHostCall: (key) => async (call) => {
        const [answer] = this.#sourcesOf(key).flatMap(({ source }) => source.tools(key) ?? []);
        if (answer === undefined) throw new GranaryError("no-tools", nobodyServes);
        return answer(call);
      },
      // Each client brings its own.
      createCapture: () => new ExecutionCapture(),
      recover: async () => {},
      maxSessions: hub.maxKernels,
      maxSessionsSetting: "hub.maxKernels",
      idleMs: hub.idleHours === 0 ? Number.POSITIVE_INFINITY : hub.idleHours * 3_600_000,
      isMemoryShort: () => isMemoryShort(python.lowMemoryPercent) || this.#isTooLarge(hub.maxMegabytes),
      sweepMs: python.sweepSeconds * 1000,
      heartbeatMs: python.heartbeatSeconds * 1000,
      startMs: python.startSeconds * 1000,
      crashRetry: python.crashRetry,
      kernelMode: "session",
      timeline: (key) => timelines(() => this.#latest(key).python),
      firstExecution,
      onExecution,
      onLine,
      onWork,
      onRemoved: (key) => {
        this.#sources.delete(sessionNameOf(key));
        onRemoved(key);
      },
    });
  }

  use(key: SessionKey, source: SessionSource, { starts }: { readonly starts: boolean }): void {
    const others = this.#sourcesOf(key).filter((other) => other.source !== source && !(starts && other.isGone));
    this.#sources.set(sessionNameOf(key), [{ source, starts }, ...others]);
  }

  warm(python: Settings["python"], make: () => WarmStarts): WarmStarts {
    const name = JSON.stringify(python);
    const existing = this.#warm.get(name) ?? make();
    this.#warm.set(name, existing);
    return existing;
  }

  /** A client has gone; its kernels live on. */
  forget(source: SessionSource): void {
    for (const [name, sources] of this.#sources) {
      const others = sources.filter((other) => other.source !== source);
      const hasStarter = others.some(({ starts }) => starts);
      // The last one stays: the next kernel may be started for a client that only knows the session's name.
      const left = sources.map((other) => (other.source === source ? { ...other, isGone: true } : other));
      this.#sources.set(name, hasStarter ? others : left);
    }
  }

  get all(): readonly LocalSession[] {
    return this.pool.sessions;
  }

  keyOf(session: LocalSession): SessionKey {
    return this.pool.keyOf(session) as SessionKey;
  }

  async close(): Promise<void> {
    await Promise.all([...this.pool.works].map((work) => work.interrupt()));
    await this.pool.close();
    await Promise.all([...this.#warm.values()].map((warm) => warm.close()));
    // Sandboxes remove their files after the end of their last kernel.
    await nextTurn();
  }

  #latest(key: SessionKey): SessionSource {
    return this.#sourcesOf(key).find(({ starts }) => starts)?.source as SessionSource;
  }

  #sourcesOf(key: SessionKey): readonly UsingSource[] {
    return this.#sources.get(sessionNameOf(key)) ?? [];
  }

  #isTooLarge(mostMegabytes: number): boolean {
    if (mostMegabytes === 0) return false;
    const bytes = this.all.reduce((sum, { info }) => sum + memoryNow(info?.pid ?? null), 0);
    return bytes > mostMegabytes * 1_000_000;
  }
}
