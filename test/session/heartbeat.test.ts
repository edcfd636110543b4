import { describe, expect, test } from "vitest";
import type { Trouble } from "../../src/kernel/trouble.ts";
import { Heartbeat } from "../../src/session/kernel-life/heartbeat.ts";
import { until } from "../kernel/until.ts";
import { createPool, sessionKey } from "./pool/pool.ts";
import { PuppetKernel, PuppetKernels } from "./puppet-kernels.ts";

const gone: Trouble = { reason: "The kernel is gone.", mayPass: false };
const stopped: Trouble = { reason: "The process has been stopped.", mayPass: true };

const puppet = () =>
  new PuppetKernel(
    1,
    () => 0,
    () => {},
  );

/** A pool whose heartbeat never rests, and the kernels that it has started. */
function restlessPool() {
  const kernels: PuppetKernel[] = [];
  const source = new PuppetKernels();
  const start = async (signal: AbortSignal): Promise<PuppetKernel> => {
    kernels.push(await source.start(signal));
    return kernels.at(-1) as PuppetKernel;
  };
  return { kernels, pool: createPool(start, { heartbeatMs: 1, crashRetry: "never" }) };
}

const looks = async (kernel: PuppetKernel, more: number): Promise<void> => {
  const enough = kernel.looks + more;
  await until(`it was looked at ${more} times`, () => kernel.looks >= enough);
};

describe("the heartbeat", () => {
  test("of a kernel that is gone: its session gets another, and reports why", async () => {
    const { pool, kernels } = restlessPool();
    const session = pool.session(sessionKey("main"));
    await session.run("count").result;
    (kernels[0] as PuppetKernel).trouble = gone;
    await until("it is given up", () => session.life === "dead");
    expect((await session.run("count").result).ledger).toEqual({
      generation: 2,
      state: "restarted",
      reason: "The kernel is gone.",
    });
    await pool.close();
  });

  test("of a kernel that is gone while a cell runs: the cell fails with that reason, and is not repeated", async () => {
    const { pool, kernels } = restlessPool();
    const execution = pool.session(sessionKey("main")).run("hang");
    await until("it runs", () => kernels[0]?.state === "busy");
    (kernels[0] as PuppetKernel).trouble = gone;
    expect(await execution.result).toMatchObject({
      status: "failed",
      attempts: 1,
      ledger: { generation: 1, state: "lost", reason: "The kernel is gone." },
    });
    await pool.close();
  });

  test("of a stopped kernel that no cell needs: it is left alone, and keeps its variables for later", async () => {
    const { pool, kernels } = restlessPool();
    const session = pool.session(sessionKey("main"));
    await session.run("count").result;
    const kernel = kernels[0] as PuppetKernel;
    kernel.trouble = stopped;
    await looks(kernel, 10);
    kernel.trouble = null;
    expect(await session.run("count").result).toMatchObject({ output: "2\n", ledger: { generation: 1 } });
    await pool.close();
  });

  test("of a stopped kernel that a cell needs: it is given up", async () => {
    const { pool, kernels } = restlessPool();
    const session = pool.session(sessionKey("main"));
    const execution = session.run("hang");
    await until("it runs", () => kernels[0]?.state === "busy");
    (kernels[0] as PuppetKernel).trouble = stopped;
    const { status, ledger } = await execution.result;
    expect({ status, reason: ledger.reason }).toEqual({
      status: "failed",
      reason: "The process has been stopped. Granary has ended the kernel.",
    });
    await pool.close();
  });

  test("that finds trouble now and then, or no answer at all, does no harm", async () => {
    const kernel = puppet();
    kernel.findTrouble = async () => {
      kernel.looks += 1;
      if (kernel.looks % 4 === 0) throw new Error("The server does not answer.");
      return kernel.looks % 3 === 0 ? null : gone;
    };
    const heartbeat = new Heartbeat(1);
    let isGivenUp = false;
    heartbeat.watch(kernel, {
      onBeat: () => {},
      onHopeless: () => {
        isGivenUp = true;
      },
    });
    await looks(kernel, 24);
    heartbeat.stop();
    expect(isGivenUp).toBe(false);
  });

  test("checks our own kernels like others, and none when it is turned off", async () => {
    const [watched, unwatched] = [puppet(), puppet()];
    const listener = { onBeat: () => {}, onHopeless: () => {} };
    const heartbeat = new Heartbeat(1);
    heartbeat.watch(watched, listener);
    new Heartbeat(0).watch(unwatched, listener);
    await looks(watched, 5);
    heartbeat.stop();
    expect(unwatched.looks).toBe(0);
  });
});
