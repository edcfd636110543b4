import { test } from "vitest";
import { bun, expectToPassOnBun } from "../run-on-bun.ts";

test.skipIf(bun === undefined)(
  "kernels over ZeroMQ keep the essential promises on Bun too",
  { timeout: 1_800_000 },
  () => expectToPassOnBun("./test/kernel/zmq/contract.bun.ts"),
);
