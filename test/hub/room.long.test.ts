import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { py } from "../kernel/py.ts";
import { TestHub } from "./test-hub.ts";

/** Longer than a session counts as just used. */
const mostLooks = 150;

test("above hub.maxMegabytes, the kernel that was used least recently ends, and no other", async () => {
  await using hub = new TestHub();
  mkdirSync(hub.home, { recursive: true });
  const settings = { hub: { maxMegabytes: 100 }, python: { sweepSeconds: 1 } };
  writeFileSync(join(hub.home, "settings.json"), JSON.stringify(settings));
  const large = py`
    held = bytearray(60_000_000)
    for at in range(0, len(held), 4096): held[at] = 1
  `;
  await hub.run("old", large);
  await hub.run("new", large);
  const names = async (): Promise<readonly string[]> => ((await hub.status())?.sessions ?? []).map(({ name }) => name);
  // Both were just used, so both stay, although they are too large together.
  expect((await names()).toSorted()).toEqual(["new", "old"]);
  for (let looks = 0; (await names()).includes("old") && looks < mostLooks; looks++) await sleep(1000);
  expect(await names()).toEqual(["new"]);
  expect(await hub.run("new", "len(held)")).toBe("60000000");
  const { stderr } = await hub.granary(["run", "--session", "old", "-c", "1"]);
  expect(stderr).toContain("Memory was short");
});
