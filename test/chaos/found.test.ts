import { describe, expect, test } from "vitest";
import { until } from "../kernel/until.ts";
import { ChaosWorld } from "./chaos-world.ts";
import { ChaosHost } from "./host-process.ts";
import type { Moved, Settled } from "./log.ts";
import { settingsOf, type WorldName } from "./worlds.ts";

interface Attacked extends AsyncDisposable {
  readonly world: ChaosWorld;
  readonly host: ChaosHost;
  readonly settled: readonly Settled[];
  readonly moved: readonly Moved[];
  run(code: string): Promise<Settled>;
}

async function attacked(name: WorldName): Promise<Attacked> {
  const world = new ChaosWorld(name);
  const settled: Settled[] = [];
  const moved: Moved[] = [];
  const host = new ChaosHost(name, world.folder, world.env, {
    settled: (one) => settled.push(one),
    moved: (one) => moved.push(one),
    began: () => {},
  });
  await host.order("open", { settings: settingsOf(name, 4) });
  const run: Attacked["run"] = async (code) => {
    const count = settled.length;
    await host.order("run", { id: `c${count}`, session: "a", code, timeoutMs: null, reader: "quick" });
    await until("the cell has settled", () => settled.length > count);
    return settled[count] as Settled;
  };
  const close = async (): Promise<void> => {
    host.kill();
    world.remove();
  };
  return { world, host, settled, moved, run, [Symbol.asyncDispose]: close };
}

/** Faults that the attack has found, each as short as possible. */
describe.skipIf(process.platform !== "linux")("found by chaos", () => {
  test("an undo ends, also when the host had no descriptors for a copy before", async () => {
    await using attack = await attacked("checkpoints");
    const { host, run, settled, moved } = attack;
    await run("x = 1");
    await run("x = 2");
    await host.order("takeFiles");
    await run("x = 3");
    await host.order("freeFiles");
    await run("x = 4");
    await host.order("undo", { session: "a" });
    expect(moved.map(({ ledger }) => ledger.state)).toEqual(["restored"]);
    expect((await run("x")).output).toBe("3\n");
    expect(settled.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    await host.order("close");
    await host.end();
  });

  test("a process that left the group ends, also when the host had no descriptors to find it at the kernel's death", async () => {
    await using attack = await attacked("cold");
    const { host, run, world } = attack;
    await run("import os, subprocess; subprocess.Popen(['sleep', '300'], start_new_session=True)");
    const sleeps = (): boolean => world.processes().some(({ command }) => command === "sleep 300");
    expect(sleeps()).toBe(true);
    await host.order("takeFiles");
    expect(await run("os._exit(3)")).toMatchObject({ status: "failed", code: "kernel-died" });
    await host.order("freeFiles");
    await until("the process has ended", () => !sleeps());
    await host.order("close");
    await host.end();
  });
});
