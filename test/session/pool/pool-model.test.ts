import { describe, test } from "vitest";
import { provePuppetPools, proveRunnerPools } from "../worlds.ts";

describe("after any runs, interrupts, resets, kills and evictions, every result comes once, with a true ledger", () => {
  test("on kernels that stand in for Python", () => provePuppetPools(200));

  test("on real ones, of which none is left in the end", () => proveRunnerPools(5));
});
