import { test } from "vitest";
import { bun, expectToPassOnBun } from "../../run-on-bun.ts";

test.skipIf(bun === undefined)("the runner fulfils the contract on Bun too", { timeout: 300_000 }, () =>
  expectToPassOnBun("./test/kernel/runner/contract/contract.bun.ts"),
);
