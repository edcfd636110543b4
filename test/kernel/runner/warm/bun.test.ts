import { test } from "vitest";
import { isLong } from "../../../environment/variants.ts";
import { bun, expectToPassOnBun } from "../../run-on-bun.ts";

test.skipIf(bun === undefined)(
  "a forked runner fulfils the contract on Bun too",
  { timeout: isLong ? 1_800_000 : 300_000 },
  () => expectToPassOnBun("./test/kernel/runner/warm/contract.bun.ts"),
);
