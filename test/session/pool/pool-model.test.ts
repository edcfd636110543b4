import { describe, test } from "vitest";
import { repetitions } from "../../environment/variants.ts";
import { provePuppetPools, proveRunnerPools } from "../worlds.ts";

describe("after any runs, interrupts, resets, kills and evictions, every result comes once, with a true ledger", () => {
  test("on kernels that stand in for Python", () => provePuppetPools(repetitions(400)));

  test("on real ones, of which none is left in the end", () => proveRunnerPools(5));
});
