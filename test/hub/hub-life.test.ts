import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { connectHub } from "../../src/hub/client/connect-hub.ts";
import { BoundedLog } from "../../src/hub/server/hub-log.ts";
import { isStillRunning } from "../../src/support/process/process-identity.ts";
import { watchersOf } from "../kernel/leavers.ts";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";
import { TestHub } from "./test-hub.ts";

test("ten clients that start at once share one hub, and none of their cells is lost", async () => {
  await using hub = new TestHub();
  const runs = Array.from({ length: 10 }, (_, index) =>
    hub.granary(["run", "--session", "race", "-c", `seen = globals().get("seen", []) + [${index}]; print("ok")`]),
  );
  const finished = await Promise.all(runs);
  expect(finished.map(({ stdout }) => stdout)).toEqual(Array(10).fill("ok\n"));
  expect(await hub.run("race", "sorted(seen)")).toBe("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]");
});

test("a killed hub takes its Pythons along; its clients report it, and the next call gets a fresh one", async () => {
  await using hub = new TestHub();
  const pid = Number(await hub.run("etl", "import os; os.getpid()"));
  const client = hub.start(["run", "--session", "etl", "-c", "print('on', flush=True); import time; time.sleep(60)"]);
  await client.untilOutput("on");
  const { record } = hub;
  process.kill(record.pid, "SIGKILL");
  expect(await client.finished).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("The hub has ended") });
  await until("its Python has ended", () => !existsSync(`/proc/${pid}`) || !isStillRunning({ pid, began: null }));
  // The record is stale now.
  expect(hub.record).toEqual(record);
  expect(await hub.run("etl", "'x' in globals()")).toBe("False");
  expect(hub.record.pid).not.toBe(record.pid);
});

// Other systems do not show the environments of processes.
test.skipIf(process.platform !== "linux")(
  "a hub is watched from the start of its first kernel on, so a `kill -9` at any time ends processes that left a kernel's group",
  async () => {
    await using hub = new TestHub();
    const code = 'import subprocess; subprocess.Popen(["sleep", "616"], start_new_session=True).pid';
    const left = Number(await hub.run("etl", code));
    expect(watchersOf(hub.record)).toBe(1);
    expect(isRunning(left)).toBe(true);
    process.kill(hub.record.pid, "SIGKILL");
    await until("it has ended", () => !isRunning(left));
  },
);

test("a record of an earlier hub, or of another process with its number, counts for nothing; an id of an earlier hub never means another execution", async () => {
  await using hub = new TestHub();
  mkdirSync(join(hub.home, "hub"), { mode: 0o700, recursive: true });
  const stale = { pid: process.pid, began: "1@another-boot", socket: join(hub.home, "hub/gone.sock"), token: "x" };
  writeFileSync(join(hub.home, "hub/hub.json"), JSON.stringify({ ...stale, version: "0.0.1", startedAt: "then" }));
  expect(await hub.run("etl", "6 * 7")).toBe("42");
  const ids = [];
  for (const _ of [1, 2]) {
    const { stdout } = await hub.granary(["run", "--session", "etl", "--background", "-c", "1"]);
    ids.push(Number(stdout.trim().slice("run-".length)));
    await hub.granary(["wait", stdout.trim()]);
    await hub.granary(["hub", "stop"]);
  }
  expect(ids[1]).toBeGreaterThan(ids[0] as number);
});

describe("a hub", () => {
  // These stories leave it as they found it, but for the last.
  const hub = new TestHub();
  afterAll(() => hub[Symbol.asyncDispose]());

  test("a client of another version is told how to replace the hub, and nothing ends", async () => {
    await hub.run("etl", "x = 1");
    const other = connectHub({ home: hub.home, env: {}, version: "9.9.9", name: "newer" });
    await expect(other).rejects.toMatchObject({
      code: "hub-version",
      message: expect.stringContaining("Replace it with: granary hub stop. Its session ends with it."),
    });
    expect(await hub.run("etl", "x")).toBe("1");
  });

  test("an upgrade while a cell runs: the new version is refused, the hub stays, and the cell continues", async () => {
    const go = join(hub.folder, "go");
    const code = `import os, time\nwhile not os.path.exists(${JSON.stringify(go)}): time.sleep(0.02)\nprint('through')`;
    const started = await hub.granary(["run", "--session", "long", "--background", "-c", code]);
    const newer = connectHub({ home: hub.home, env: {}, version: "9.9.9", name: "newer" });
    await expect(newer).rejects.toMatchObject({ code: "hub-version" });
    expect((await hub.granary(["hub", "stop"])).exitCode).toBe(3);
    writeFileSync(go, "");
    expect(await hub.granary(["wait", started.stdout.trim()])).toMatchObject({ exitCode: 0, stdout: "through\n" });
  });

  test("a client without the token is refused, and garbage on the socket harms nobody", async () => {
    await hub.run("etl", "x = 1");
    const { socket } = hub.record;
    await new Promise((resolve) => {
      const stranger = connect(socket, () => stranger.write(Buffer.alloc(4096, 0xff)));
      stranger.on("close", resolve).on("error", resolve);
    });
    const file = join(hub.home, "hub/hub.json");
    const { record } = hub;
    writeFileSync(file, JSON.stringify({ ...record, token: "0".repeat(64) }));
    const refused = connectHub({ home: hub.home, env: {}, version: record.version, name: "stranger" });
    await expect(refused).rejects.toMatchObject({ code: "hub-refused" });
    writeFileSync(file, JSON.stringify(record));
    expect(await hub.run("etl", "x")).toBe("1");
  });

  test("only the owner can enter the hub's folder", async () => {
    await hub.run("etl", "x = 1");
    expect(statSync(join(hub.home, "hub")).mode & 0o777).toBe(0o700);
    expect(statSync(join(hub.home, "hub/hub.json")).mode & 0o777).toBe(0o600);
    if (process.getuid?.() !== 0) return;
    // Another user can neither connect nor read, even in a home that is open to all.
    chmodSync(hub.home, 0o755);
    const { socket } = hub.record;
    const attempt = `
import socket, sys
for path in (${JSON.stringify(join(hub.home, "hub/hub.json"))}, ${JSON.stringify(join(hub.home, "hub/history"))}):
    try: open(path).read(); print("read")
    except PermissionError: print("refused")
try: socket.socket(socket.AF_UNIX).connect(${JSON.stringify(socket)}); print("connected")
except PermissionError: print("refused")`;
    const { stdout } = spawnSync("python3", ["-c", attempt], { uid: 65534, gid: 65534, encoding: "utf8" });
    expect(stdout).toBe("refused\nrefused\nrefused\n");
  });

  test("its log has no code, no output and no variables", async () => {
    await hub.granary(["run", "--session", "etl", "-c", "print('s3cret')"], { env: { MY_SECRET: "s3cret" } });
    const { stdout } = await hub.granary(["hub", "log"]);
    expect(stdout).toContain("listens on");
    expect(stdout).not.toContain("s3cret");
  });

  test("with a running cell is stopped only by force", async () => {
    await hub.granary(["run", "--session", "long", "--background", "-c", "import time; time.sleep(60)"]);
    const refused = await hub.granary(["hub", "stop"]);
    expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("Cells are running in long") });
    expect((await hub.granary(["hub", "stop", "--force"])).stdout).toBe("Stopped the hub and its sessions.\n");
    expect(await hub.status()).toBeNull();
  });
});

test("hub log begins with the log of the hub before, which says why it ended", async () => {
  await using hub = new TestHub();
  await hub.run("etl", "1");
  const { record } = hub;
  process.kill(record.pid, "SIGTERM");
  await until("it has ended", () => !isStillRunning(record));
  expect((await hub.granary(["run", "--session", "etl", "-c", "1"])).stderr).toBe(
    "granary: The session etl is new; it stays in the hub. The hub that had it has ended. Its earlier variables are gone; its history: granary sessions show etl\n",
  );
  const { stdout } = await hub.granary(["hub", "log"]);
  expect(stdout.match(/listens on/g)).toHaveLength(2);
});

test("a home with a long path has its socket elsewhere", async () => {
  const name = "a-folder-with-a-very-long-name-".repeat(4);
  await using hub = new TestHub();
  const home = join(hub.home, name);
  const env = { GRANARY_HOME: home };
  expect((await hub.granary(["run", "--session", "etl", "-c", "6 * 7"], { env })).stdout).toBe("42\n");
  const { stdout } = await hub.granary(["hub", "status", "--json"], { env });
  expect(JSON.parse(stdout).hub.socket.length).toBeLessThan(104);
  expect((await hub.granary(["hub", "stop"], { env })).exitCode).toBe(0);
});

test("a hub without clients and kernels ends by itself", async () => {
  await using hub = new TestHub({ GRANARY_HUB_END_AFTER_MINUTES: "0.02" });
  await hub.run("etl", "x = 1");
  const { record } = hub;
  await hub.granary(["sessions", "stop", "etl"]);
  await until("the hub has ended", () => !isStillRunning(record));
  expect(existsSync(record.socket)).toBe(false);
});

test("a hub whose folder was deleted ends by itself", async () => {
  await using hub = new TestHub();
  await hub.run("etl", "x = 1");
  const { record } = hub;
  // The hub may still be writing its history.
  await until("the folder is deleted", () => {
    try {
      rmSync(hub.home, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  });
  await until("the hub has ended", () => !isStillRunning(record));
});

test("its log is at most about a megabyte", async () => {
  await using hub = new TestHub();
  const file = join(hub.home, "hub.log");
  const log = new BoundedLog(file);
  for (let line = 0; line < 2000; line++) log.write(`${line} ${"x".repeat(1000)}`);
  expect(statSync(file).size).toBeLessThan(1_100_000);
  expect(readFileSync(file, "utf8")).toContain(" 1999 xxx");
});

test("with GRANARY_HUB=never, or the setting hub.use, nothing stays", async () => {
  await using hub = new TestHub();
  const { stderr } = await hub.granary(["run", "--session", "etl", "-c", "x = 1"], { env: { GRANARY_HUB: "never" } });
  expect(stderr).toContain("lasts as long as this command");
  expect(await hub.status()).toBeNull();
  mkdirSync(hub.home, { recursive: true });
  writeFileSync(join(hub.home, "settings.json"), JSON.stringify({ hub: { use: "never" } }));
  const env = { GRANARY_HUB: "" };
  expect((await hub.granary(["run", "--session", "etl", "-c", "6 * 7"], { env })).stdout).toBe("42\n");
});

test("hub.use: never of the user starts no hub, whatever the folder's own file says", async () => {
  await using hub = new TestHub();
  const env = { GRANARY_HUB: "" };
  writeFileSync(join(hub.home, "settings.json"), JSON.stringify({ hub: { use: "never" } }));
  for (const project of [null, { "hub.use": "auto" }]) {
    if (project !== null) {
      mkdirSync(join(hub.folder, ".granary"));
      writeFileSync(join(hub.folder, ".granary/settings.json"), JSON.stringify(project));
    }
    const { stdout, stderr } = await hub.granary(["run", "--session", "etl", "-c", "6 * 7"], { env });
    expect([stdout, await hub.status()]).toEqual(["42\n", null]);
    expect(stderr).toContain("lasts as long as this command");
    const background = await hub.granary(["run", "--session", "etl", "--background", "-c", "1"], { env });
    expect(background).toMatchObject({ exitCode: 2, stdout: "" });
    expect(background.stderr).toContain("--background needs the hub, and GRANARY_HUB or the setting hub.use is never.");
    const page = await hub.granary(["page"], { env });
    expect(page.stderr).toContain("granary page needs the hub, and the setting hub.use is never.");
    expect(await hub.status()).toBeNull();
  }
});
