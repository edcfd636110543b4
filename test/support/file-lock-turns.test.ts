import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { takeLock, whileHolding } from "../../src/support/files/file-lock.ts";

describe("of several that take the same lock", () => {
  let folder: string;
  let lock: string;
  const never = new AbortController().signal;
  const quietly = { signal: never, onWait: () => undefined };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "granary-lock-"));
    lock = join(folder, "lock");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function mostAtOnce(contenders: number): Promise<number> {
    let atWork = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++atWork);
      await sleep(1);
      atWork--;
    };
    await Promise.all(Array.from({ length: contenders }, () => whileHolding(lock, quietly, work)));
    return most;
  }

  test("one works at a time, and nothing stays behind", async () => {
    expect(await mostAtOnce(4)).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a waiter learns the owner, once", async () => {
    const told: string[] = [];
    await whileHolding(lock, quietly, async () => {
      const cancel = new AbortController();
      const second = whileHolding(
        lock,
        {
          signal: cancel.signal,
          onWait: (owner) => {
            told.push(owner);
            cancel.abort();
          },
        },
        async () => "never",
      );
      await expect(second).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    });
    expect(told).toEqual([`process ${process.pid}`]);
  });

  test("a failure lets the next one work", async () => {
    const failing = whileHolding(lock, quietly, () => Promise.reject(new Error("no room")));
    await expect(failing).rejects.toThrow("no room");
    expect(existsSync(lock)).toBe(false);
  });

  const ended = spawnSync("true").pid;
  const record = (owner: object) => JSON.stringify({ host: hostname(), pid: process.pid, began: null, ...owner });

  test("one that was killed while it took a stale lock away leaves nothing, and the next one knows of it", async () => {
    writeFileSync(`${lock}.turn`, record({ pid: ended }));
    const held = await takeLock(lock);
    expect(held.wasLeftBehind).toBe(true);
    await held.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("one that was killed before it could write its name there blocks nobody", async () => {
    const hourAgo = new Date(Date.now() - 60 * 60 * 1000);
    for (const [file, content] of [
      [lock, record({ pid: ended })],
      [`${lock}.turn`, ""],
    ] as const) {
      writeFileSync(file, content);
      utimesSync(file, hourAgo, hourAgo);
    }
    expect(await mostAtOnce(3)).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  describe("a record is removed when", () => {
    test.each<[when: string, content: string, hoursOld: number]>([
      ["its owner has ended", record({ pid: ended }), 0],
      ["another process has its owner's number now", record({ began: "1" }), 0],
      ["it was never written to its end", '{"host":', 1],
      ["another machine has left it", record({ host: "elsewhere" }), 2],
    ])("%s", async (when, content, hoursOld) => {
      const needsProc = when.startsWith("another process");
      if (needsProc && !existsSync("/proc/self/stat")) return;
      writeFileSync(lock, content);
      const then = new Date(Date.now() - hoursOld * 60 * 60 * 1000);
      utimesSync(lock, then, then);
      expect(await mostAtOnce(3)).toBe(1);
      expect(readdirSync(folder)).toEqual([]);
    });
  });
});
