import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  lutimesSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { takeLock, whileHolding } from "../../src/support/files/file-lock.ts";
import { identityOf } from "../../src/support/process/process-identity.ts";

const built = inRepository("dist/support/files/file-lock.js");
const taker = inRepository("test/support/lock-taker.mjs");

function newLock(): string {
  return join(mkdtempSync(join(tmpdir(), "granary-lock-")), "it.lock");
}

function newFile(path: string): string {
  writeFileSync(path, "");
  return path;
}

function left(owner: object): string {
  const lock = newLock();
  writeFileSync(lock, JSON.stringify({ host: hostname(), word: "theirs", ...owner }));
  return lock;
}

test("the file exists while the lock is held, readable only by its owner, and is deleted afterwards", async () => {
  const lock = newLock();
  const result = await whileHolding(lock, {}, async () => {
    expect(JSON.parse(readFileSync(lock, "utf8"))).toMatchObject({ pid: process.pid, host: hostname() });
    expect(statSync(lock).mode & 0o777).toBe(0o600);
    return "done";
  });
  expect(result).toBe("done");
  expect(existsSync(lock)).toBe(false);
});

test("it is released when the work fails", async () => {
  const lock = newLock();
  await expect(whileHolding(lock, {}, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(existsSync(lock)).toBe(false);
});

test("two parts of one process take turns", async () => {
  const lock = newLock();
  let inside = 0;
  const work = async (): Promise<void> => {
    expect(++inside).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    inside--;
  };
  await Promise.all([1, 2, 3].map(() => whileHolding(lock, {}, work)));
});

test("a signal ends the waiting", async () => {
  const lock = left(identityOf(process.pid));
  const waiting = whileHolding(lock, { signal: AbortSignal.timeout(30) }, async () => "never");
  await expect(waiting).rejects.toThrow(/timeout/i);
  expect(existsSync(lock)).toBe(true);
});

test.each([
  ["whose process has ended", { pid: 2 ** 22 + 1, began: "once" }],
  ["whose process number belongs to another process by now", { pid: process.pid, began: "once" }],
])("a lock %s is taken over", async (_which, owner) => {
  const lock = left(owner);
  expect(await whileHolding(lock, {}, async () => "mine")).toBe("mine");
});

test("waiting for one owner times out, and names the owner", async () => {
  const lock = left(identityOf(process.pid));
  const nextAndBehind = await Promise.allSettled([1, 2].map(() => takeLock(lock, { timeoutMs: 30 })));
  for (const waited of nextAndBehind) {
    const details = { owner: `process ${process.pid}`, lock };
    expect(waited).toMatchObject({ status: "rejected", reason: { code: "locked", details } });
  }
  expect(existsSync(lock)).toBe(true);
  expect(existsSync(`${lock}.next`)).toBe(false);
});

test("a stuck process that is next in line does not block a free lock", async () => {
  const lock = newLock();
  writeFileSync(`${lock}.next`, JSON.stringify({ ...identityOf(process.pid), host: hostname(), word: "stopped" }));
  expect(await whileHolding(lock, {}, async () => "mine")).toBe("mine");
});

test("an owner that takes the lock again at once waits behind earlier waiters", async () => {
  const lock = newLock();
  const order: string[] = [];
  const held = await takeLock(lock);
  const waiter = whileHolding(lock, {}, async () => order.push("waiter"));
  while (!existsSync(`${lock}.next`)) await new Promise((resolve) => setImmediate(resolve));
  await held.release();
  await whileHolding(lock, {}, async () => order.push("owner"));
  await waiter;
  expect(order).toEqual(["waiter", "owner"]);
});

test("a lock of a container with its own process ids is not judged by our processes", async () => {
  const lock = left({ pid: 2 ** 22 + 1, began: "once", pidNamespace: "pid:[1]" });
  const waiting = whileHolding(lock, { signal: AbortSignal.timeout(250) }, async () => "never");
  await expect(waiting).rejects.toThrow(/timeout/i);
});

test.each(["", "{", "no owner at all", '{"pid":-1,"host":"x"}'])(
  "a lock file with %j is taken over when it is old, and left alone when it is new",
  async (record) => {
    const lock = newLock();
    writeFileSync(lock, record);
    await expect(takeLock(lock, { timeoutMs: 1000 })).rejects.toThrow("an unknown process does not release");
    const aMinuteAgo = new Date(Date.now() - 60_000);
    utimesSync(lock, aMinuteAgo, aMinuteAgo);
    const taken = await takeLock(lock, { timeoutMs: 2000 });
    expect(taken.wasLeftBehind).toBe(true);
    await taken.release();
    expect(existsSync(lock)).toBe(false);
  },
);

test("a lock of another machine is left alone while its heartbeat continues", async () => {
  const lock = left({ pid: 1, began: null, host: "elsewhere" });
  const waiting = whileHolding(lock, { signal: AbortSignal.timeout(100) }, async () => "never");
  await expect(waiting).rejects.toThrow(/timeout/i);
});

test.each<[string, (lock: string) => void]>([
  ["a pipe", (lock) => execFileSync("mkfifo", [lock])],
  ["a link to a device", (lock) => symlinkSync("/dev/zero", lock)],
  ["a large file", (lock) => truncateSync(newFile(lock), 2 ** 40)],
])("%s in the place of a lock blocks no thread, and the lock cannot be taken", async (_, make) => {
  // More than Node has threads for files.
  const locks = Array.from({ length: 6 }, newLock);
  for (const lock of locks) make(lock);
  const taking = locks.map((lock) => whileHolding(lock, {}, async () => "never"));
  for (const each of await Promise.allSettled(taking)) {
    expect(each).toMatchObject({ status: "rejected", reason: { code: "lock-unusable" } });
  }
});

test("a heartbeat leaves the file alone that a link in the lock's place leads to", async () => {
  const lock = newLock();
  const victim = `${lock}.victim`;
  writeFileSync(victim, "");
  utimesSync(victim, 1, 1);
  vi.useFakeTimers({ toFake: ["setInterval"] });
  try {
    const held = await takeLock(lock);
    rmSync(lock);
    symlinkSync(victim, lock);
    lutimesSync(lock, 1, 1);
    vi.advanceTimersByTime(10_000);
    await vi.waitUntil(() => lstatSync(lock).mtimeMs > 1000);
    await held.release();
  } finally {
    vi.useRealTimers();
  }
  expect(statSync(victim).mtimeMs).toBe(1000);
});

test("many processes, some of them killed while they hold it, never hold it together", async () => {
  const lock = newLock();
  const notes = `${lock}.notes`;
  const take = (times: number, ending: string): Promise<unknown> =>
    promisify(execFile)(process.execPath, [taker, built, lock, notes, String(times), ending]).catch(() => undefined);
  await Promise.all([take(20, "lives"), take(1, "dies"), take(20, "lives"), take(1, "dies")]);
  const words = readFileSync(notes, "utf8").trim().split("\n");
  let holder: string | null = null;
  let deaths = 0;
  for (const line of words) {
    const [word, pid] = line.split(" ") as [string, string];
    if (word === "took") {
      if (holder !== null) deaths++; // the one before was killed before it could report its release
      holder = pid;
    } else {
      expect(pid).toBe(holder);
      holder = null;
    }
  }
  expect(words.filter((line) => line.startsWith("took")).length).toBe(42);
  expect(deaths + (holder === null ? 0 : 1)).toBe(2);
});

test("a process that has no descriptors when it releases the lock can take it again when it has some", async () => {
  const lock = newLock();
  const script = inRepository("test/support/few-files.mjs");
  const args = ["-c", 'ulimit -n 64 && exec "$0" "$@"', process.execPath, script, inRepository("dist"), lock];
  const { stdout } = await promisify(execFile)("/bin/sh", args);
  expect(JSON.parse(stdout)).toEqual({ runs: true, isLeft: false, isNextLeft: false });
});
