import { expect, test } from "vitest";
import { isStillRunning } from "../../src/support/process/process-identity.ts";
import { TestHub } from "./test-hub.ts";

test("twenty processes that start at once share one hub, round after round", async () => {
  for (let round = 0; round < 3; round++) {
    await using hub = new TestHub();
    const starters = Array.from({ length: 20 }, (_, index) =>
      hub.start(["run", "--session", "race", "-c", `seen = globals().get("seen", []) + [${index}]; print("ok")`]),
    );
    const finished = await Promise.all(starters.map((starter) => starter.finished));
    expect(finished.map(({ stdout }) => stdout)).toEqual(Array(20).fill("ok\n"));
    expect(await hub.run("race", "sorted(seen) == list(range(20))")).toBe("True");
  }
});

test("a hub that hangs is reported with the command that ends it, and the next run gets a fresh one", async () => {
  await using hub = new TestHub();
  await hub.run("etl", "x = 1");
  const { record } = hub;
  process.kill(record.pid, "SIGSTOP");
  const sentence = `The hub (process ${record.pid}) does not answer. End it, and its sessions, with: granary hub stop --force`;
  const refused = await Promise.all([
    hub.granary(["run", "--session", "etl", "-c", "x"]),
    hub.granary(["sessions"]),
    hub.granary(["hub", "stop"]),
  ]);
  for (const { exitCode, stderr } of refused) expect([exitCode, stderr]).toEqual([3, `granary: ${sentence}\n`]);
  expect((await hub.granary(["hub", "stop", "--force"])).stdout).toBe("Stopped the hub and its sessions.\n");
  expect(isStillRunning(record)).toBe(false);
  expect(await hub.run("etl", "'x' in globals()")).toBe("False");
});
