import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../kernel/until.ts";
import { TestHub } from "./test-hub.ts";

/** A hub with settings of its own, from the file in its home. */
function hubWith(settings: object): TestHub {
  const hub = new TestHub();
  mkdirSync(hub.home, { recursive: true });
  writeFileSync(join(hub.home, "settings.json"), JSON.stringify(settings));
  return hub;
}

const names = async (hub: TestHub): Promise<readonly string[]> =>
  ((await hub.status())?.sessions ?? []).map(({ name }) => name).sort();

const waitFor = (path: string): string =>
  `import os, time\nwhile not os.path.exists(${JSON.stringify(path)}): time.sleep(0.02)`;

describe("hub.maxKernels", () => {
  test("the idle kernel that was used least recently makes room, and its next result says so", async () => {
    await using hub = hubWith({ hub: { maxKernels: 2 } });
    await hub.run("one", "x = 1");
    await hub.run("two", "x = 2");
    await hub.run("one", "x");
    await hub.run("three", "x = 3");
    expect(await names(hub)).toEqual(["one", "three"]);
    expect(await hub.run("one", "x")).toBe("1");
    const { stderr, stdout } = await hub.granary(["run", "--session", "two", "-c", "'x' in globals()"]);
    expect([stdout, stderr]).toEqual(["False\n", expect.stringContaining("Another session needed its place")]);
  });

  test("a busy kernel never makes room: the next run waits, and says why", async () => {
    await using hub = hubWith({ hub: { maxKernels: 1 } });
    const go = join(hub.folder, "go");
    await hub.granary(["run", "--session", "busy", "--background", "-c", `kept = 1\n${waitFor(go)}`]);
    const waiting = hub.start(["run", "--session", "next", "-c", "print('in')"]);
    await until("it says why it waits", () => waiting.stderr.includes("next waits: "));
    expect(waiting.stderr).toMatch(
      /^granary: next waits: The only Python session is busy .*hub\.maxKernels allows more/,
    );
    expect(waiting.stdout).toBe("");
    writeFileSync(go, "");
    expect((await waiting.finished).stdout).toBe("in\n");
  });

  test("cells of one call keep their kernel between them, while others wait for the only place", async () => {
    await using hub = hubWith({ hub: { maxKernels: 1 } });
    await hub.run("warm", "1");
    const cells = (name: string) => ["a", "b", "c"].flatMap((v) => ["-c", `${v} = "${name}"`]);
    const runs = ["one", "two", "three"].map((name) =>
      hub.granary(["run", "--session", name, ...cells(name), "-c", "print(a, b, c)"]),
    );
    expect((await Promise.all(runs)).map(({ stdout }) => stdout)).toEqual([
      "one one one\n",
      "two two two\n",
      "three three three\n",
    ]);
  });
});

test("hub.idleHours ends a kernel that was unused for so long, and no busy one", async () => {
  await using hub = hubWith({ hub: { idleHours: 0.001 }, python: { sweepSeconds: 1 } });
  const go = join(hub.folder, "go");
  await hub.granary(["run", "--session", "busy", "--background", "-c", `kept = 1\n${waitFor(go)}`]);
  await hub.run("idle", "x = 1");
  await until("the idle one has ended", async () => !(await names(hub)).includes("idle"));
  expect(await names(hub)).toEqual(["busy"]);
  writeFileSync(go, "");
  expect(await hub.run("busy", "kept")).toBe("1");
  const { stderr } = await hub.granary(["run", "--session", "idle", "-c", "1"]);
  expect(stderr).toContain("No cell ran for");
});
