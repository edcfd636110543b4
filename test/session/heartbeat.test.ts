import { describe, expect, test } from "vitest";
import { Heartbeat } from "../../src/session/heartbeat.ts";
import { deferred } from "../../src/support/deferred.ts";
import { until } from "../kernel/until.ts";
import { createPool, sessionKey } from "./pool.ts";
import { PuppetKernel } from "./puppet-kernels.ts";

const remote = () =>
  new PuppetKernel(
    1,
    () => 0,
    () => {},
    null,
  );

describe("the heartbeat", () => {
  test("of a remote kernel that has fallen silent: its session gets another, and is told why", async () => {
    const kernels: PuppetKernel[] = [];
    const pool = createPool(
      async () => {
        kernels.push(remote());
        return kernels.at(-1) as PuppetKernel;
      },
      { heartbeatMs: 1 },
    );
    const session = pool.session(sessionKey("main"));
    await session.run("count").result;
    (kernels[0] as PuppetKernel).answers = false;
    await until("it is given up", () => session.life === "dead");
    expect((await session.run("count").result).ledger).toEqual({
      generation: 2,
      state: "restarted",
      reason: "The kernel did not answer 3 heartbeats in a row.",
    });
    await pool.close();
  });

  test("also tells while a cell runs, which is then tried once more", async () => {
    const kernels: PuppetKernel[] = [];
    const pool = createPool(
      async () => {
        kernels.push(remote());
        return kernels.at(-1) as PuppetKernel;
      },
      { heartbeatMs: 1 },
    );
    const execution = pool.session(sessionKey("main")).run("hang");
    await until("it runs", () => execution.status === "running");
    (kernels[0] as PuppetKernel).answers = false;
    await until("it runs again", () => kernels[1]?.state === "busy");
    await execution.interrupt();
    expect(await execution.result).toMatchObject({ status: "cancelled", ledger: { generation: 2 } });
    await pool.close();
  });

  test("that is missed now and then does no harm", async () => {
    const kernel = remote();
    let pings = 0;
    const enough = deferred<void>();
    kernel.ping = async () => {
      pings += 1;
      if (pings === 12) enough.resolve();
      if (pings % 3 !== 0) throw new Error("busy");
    };
    const heartbeat = new Heartbeat(1);
    let gaveUp = false;
    heartbeat.watch(kernel, () => {
      gaveUp = true;
    });
    await enough.promise;
    heartbeat.stop();
    expect(gaveUp).toBe(false);
  });

  test("is not asked of processes of our own, nor when it is turned off", async () => {
    const own = new PuppetKernel(
      1,
      () => 0,
      () => {},
      4711,
    );
    let pings = 0;
    const count = async (): Promise<void> => {
      pings += 1;
    };
    const off = remote();
    const asked = remote();
    own.ping = count;
    off.ping = count;
    const done = deferred<void>();
    asked.ping = async () => done.resolve();
    const heartbeat = new Heartbeat(1);
    heartbeat.watch(own, () => {});
    new Heartbeat(0).watch(off, () => {});
    heartbeat.watch(asked, () => {});
    await done.promise;
    heartbeat.stop();
    expect(pings).toBe(0);
  });
});
