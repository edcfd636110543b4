import type { afterAll as AfterAll, describe as Describe, expect as Expect, test as Test } from "vitest";

/** The part of a test runner that the contract needs: vitest's, or Bun's own when the tests run on Bun. */
interface Harness {
  readonly describe: typeof Describe;
  readonly test: typeof Test;
  readonly expect: typeof Expect;
  readonly afterAll: typeof AfterAll;
}

const runsOnBun = "Bun" in globalThis;
const testRunner = runsOnBun ? "bun:test" : "vitest";

export const { describe, test, expect, afterAll }: Harness = await import(testRunner);
