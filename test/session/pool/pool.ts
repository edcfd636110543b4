import { ExecutionCapture } from "../../../src/output/execution-capture.ts";
import type { StartKernel } from "../../../src/session/kernel-life/succession.ts";
import { type PoolOptions, type SessionKey, SessionPool } from "../../../src/session/session-pool.ts";

/** A pool of sessions on a test's kernels, with the default limits. */
export function createPool(start: StartKernel, options: Partial<PoolOptions> = {}): SessionPool {
  return new SessionPool({
    start: () => start,
    createCapture: () => new ExecutionCapture(),
    recover: async () => {},
    maxSessions: 4,
    idleMs: 300_000,
    isMemoryShort: () => false,
    sweepMs: 30_000,
    heartbeatMs: 5000,
    startMs: 30_000,
    crashRetry: "once",
    kernelMode: "session",
    ...options,
  });
}

export function sessionKey(id: string): SessionKey {
  return { id, cwd: "/", interpreter: null, backend: "runner" };
}
