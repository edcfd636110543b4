import { test } from "vitest";
import { bun, expectToPassOnBun } from "../run-on-bun.ts";

test.skipIf(bun === undefined)(
  "kernels of the shared gateway keep the essential promises on Bun too",
  { timeout: 1_800_000 },
  () => expectToPassOnBun("./test/kernel/gateway/contract.bun.ts"),
);
