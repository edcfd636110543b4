import { describe, expect, test } from "vitest";
import { ChaosWorld } from "./chaos-world.ts";
import { ChaosHost } from "./host-process.ts";
import type { Moved, Settled } from "./log.ts";
import { settingsOf } from "./worlds.ts";

/** Faults that the attack has found, each as short as possible. */
describe.skipIf(process.platform !== "linux")("found by chaos", () => {
  test("an undo ends, also when the host had no descriptors for a copy before", async () => {
    const world = new ChaosWorld("checkpoints");
    const settled: Settled[] = [];
    const moved: Moved[] = [];
    const host = new ChaosHost("checkpoints", world.folder, world.env, {
      settled: (one) => settled.push(one),
      moved: (one) => moved.push(one),
      began: () => {},
    });
    const run = async (id: string, code: string) => {
      const count = settled.length;
      await host.order("run", { id, session: "a", code, timeoutMs: null, reader: "quick" });
      while (settled.length === count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    try {
      await host.order("open", { settings: settingsOf("checkpoints", 4) });
      await run("c0", "x = 1");
      await run("c1", "x = 2");
      await host.order("takeFiles");
      await run("c2", "x = 3");
      await host.order("freeFiles");
      await run("c3", "x = 4");
      await host.order("undo", { session: "a" });
      expect(moved.map(({ ledger }) => ledger.state)).toEqual(["restored"]);
      await run("c4", "x");
      expect(settled.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
      expect(settled.at(-1)?.output).toBe("3\n");
      await host.order("close");
      await host.end();
    } finally {
      host.kill();
      world.remove();
    }
  });
});
