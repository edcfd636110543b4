import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TestHub } from "./test-hub.ts";

/** Root may write everywhere, so only a file system can refuse it. */
const canMount = process.getuid?.() === 0 && process.platform === "linux" && mounts();

function mounts(): boolean {
  const hub = new TestHub();
  try {
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", hub.folder], { stdio: "ignore" });
    execFileSync("umount", [hub.folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  } finally {
    for (const folder of [hub.home, hub.folder]) rmSync(folder, { recursive: true, force: true });
  }
}

/** A hub whose home is a small disk. */
class SmallDisk extends TestHub {
  constructor(options: string) {
    super();
    mkdirSync(this.home, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", this.home]);
  }

  fill(): void {
    try {
      writeFileSync(join(this.home, "fill"), Buffer.alloc(1_000_000));
    } catch {}
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.granary(["hub", "stop", "--force"]);
    execFileSync("umount", ["--lazy", this.home]);
    await super[Symbol.asyncDispose]();
  }
}

describe.skipIf(!canMount)("a home where nothing can be written", () => {
  test("a read-only one: the run says why, and runs in its own process", async () => {
    await using hub = new SmallDisk("ro");
    const { stdout, stderr, exitCode } = await hub.granary(["run", "--session", "etl", "-c", "6 * 7"]);
    expect([exitCode, stdout]).toEqual([0, "42\n"]);
    expect(stderr).toMatch(/The hub could not be started in .*read-only file system.*GRANARY_HUB=never/);
    expect(await hub.granary(["run", "--session", "etl", "--background", "-c", "1"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--background needs the hub"),
    });
  });

  test("one that is full when the hub has started: the run says why, although the hub has no room for a word", async () => {
    // The lock takes the only page.
    await using hub = new SmallDisk("size=4k");
    const { stdout, stderr, exitCode } = await hub.granary(["run", "--session", "etl", "-c", "6 * 7"]);
    expect([exitCode, stdout]).toEqual([0, "42\n"]);
    expect(stderr).toMatch(/The hub could not be started in .*: the disk is full\..*GRANARY_HUB=never/);
  });

  test("a full one: the run says why, runs in its own process, and no hub is left", async () => {
    await using hub = new SmallDisk("size=64k");
    hub.fill();
    const { stdout, stderr, exitCode } = await hub.granary(["run", "--session", "etl", "-c", "6 * 7"]);
    expect([exitCode, stdout]).toEqual([0, "42\n"]);
    expect(stderr).toMatch(/granary: The hub (could not be started|ended before it was ready)/);
    expect(existsSync(join(hub.home, "hub/hub.sock"))).toBe(false);
  });

  test("one that fills up: sessions continue, and results say what could not be kept", async () => {
    await using hub = new SmallDisk("size=512k");
    await hub.run("etl", "x = 1");
    hub.fill();
    expect(await hub.run("etl", "x + 1")).toBe("2");
    expect(await hub.run("other", "'new'")).toBe("'new'");
    const long = await hub.granary(["run", "--session", "etl", "-c", "for n in range(20_000): print(n, 'x' * 99)"]);
    expect(long.stdout.trimEnd().split("\n")).toHaveLength(20_000);
    expect(await hub.run("etl", "x + 2")).toBe("3");
  });
});

test("a file in place of the hub's folder is reported in a sentence", async () => {
  await using hub = new TestHub();
  writeFileSync(join(hub.home, "hub"), "");
  const { stdout, stderr } = await hub.granary(["run", "--session", "etl", "-c", "6 * 7"]);
  expect(stdout).toBe("42\n");
  expect(stderr).toMatch(/^granary: .*hub/);
  expect(stderr).not.toContain("    at ");
  rmSync(join(hub.home, "hub"));
});

test("names: an empty one and one like an option are refused, others may have spaces and any script", async () => {
  await using hub = new TestHub();
  for (const name of ["", " ", "a\nb", "-dash", "n".repeat(201)]) {
    const refused = await hub.granary(["run", "--session", name, "-c", "1"]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--session") });
  }
  for (const name of ["two words", "größe 漢字", "a/b", "..", "run-1", "'; rm -rf ~"]) {
    expect(await hub.run(name, "x = 6")).toBe("");
    expect(await hub.run(name, "x * 7")).toBe("42");
    expect((await hub.granary(["sessions", "show", name])).stdout).toContain("> x * 7\n42");
  }
});

test("a folder with a very long path has a session of its own", async () => {
  await using hub = new TestHub();
  const folder = join(hub.folder, ...Array(8).fill("a folder with a long name ".repeat(6).trim()));
  mkdirSync(folder, { recursive: true });
  const args = ["run", "--session", "etl", "-c", "import os; os.getcwd()[-9:]"];
  expect((await hub.granary(args, { cwd: folder })).stdout).toBe("'long name'\n");
  expect((await hub.status())?.sessions).toMatchObject([{ name: "etl", folder }]);
});
