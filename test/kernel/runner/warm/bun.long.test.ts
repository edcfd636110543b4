import { test } from "vitest";
import { bun, expectToPassOnBun } from "../../run-on-bun.ts";

test.skipIf(bun === undefined)("a forked runner fulfils the contract on Bun too", { timeout: 1_800_000 }, () =>
  expectToPassOnBun("./test/kernel/runner/warm/contract.bun.ts"),
);
