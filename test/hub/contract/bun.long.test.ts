import { test } from "vitest";
import { bun, expectToPassOnBun } from "../../kernel/run-on-bun.ts";

test.skipIf(bun === undefined)("tools fulfil the contract on Bun, with a hub on Bun", () =>
  expectToPassOnBun("./test/hub/contract/contract.bun.ts"),
);
