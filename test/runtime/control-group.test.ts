import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { delegatedFolder } from "../../src/runtime/limits/delegated-folder.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";

describe("the folder in which a user may make control groups", () => {
  let mount: string;
  beforeAll(() => {
    mount = mkdtempSync(join(tmpdir(), "granary-groups-"));
  });
  afterAll(() => rmSync(mount, { recursive: true, force: true }));

  const group = (name: string, limitsBelow: string): string => {
    const folder = join(mount, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "cgroup.procs"), "");
    writeFileSync(join(folder, "cgroup.subtree_control"), limitsBelow);
    return folder;
  };

  test("is the nearest one above that limits memory and processes", () => {
    const slice = group("user@1000.service/app.slice", "cpu memory pids\n");
    const folder = group("user@1000.service/app.slice/terminal.scope", "");
    rmSync(join(folder, "cgroup.procs")); // nothing may be moved there
    expect(delegatedFolder({ folder, mount })).toBe(slice);
  });

  test("is nowhere if the system gives none away", () => {
    const folder = join(mount, "system.slice/a.service");
    mkdirSync(folder, { recursive: true });
    expect(delegatedFolder({ folder, mount })).toBeNull();
    expect(delegatedFolder(null)).toBeNull();
  });
});

const place = delegatedFolder();
const skipped = place === null ? " (skipped: no control group is delegated to this user)" : "";

describe.skipIf(place === null)(`a kernel in a control group${skipped}`, () => {
  const own = join(place ?? "", `granary-${process.pid}`);
  const numberIn = (file: string): number => Number(readFileSync(join(own, file), "utf8"));

  async function outcomeOf(limits: object, code: string): Promise<string> {
    const python = {
      interpreter: newestPython().path,
      crashRetry: "never",
      checkpoints: "off",
      warm: false,
      ...limits,
    } as const;
    await using runtime = await createRuntime({ settings: { python } });
    return JSON.stringify(await runtime.session().run(code).result);
  }

  test("groups of a host that was killed are removed by the next one", async () => {
    const forgotten = join(place ?? "", "granary-99999999");
    mkdirSync(join(forgotten, "kernel-1"), { recursive: true });
    expect(await outcomeOf({ memoryLimitMb: 300 }, "6 * 7")).toContain("42");
    expect(existsSync(forgotten)).toBe(false);
  });

  test("children that together allocate faster than anyone can look do not pass python.memoryLimitMb", async () => {
    const code = py`
      import subprocess, sys, time
      hungry = "x = bytearray(190 << 20); import time; time.sleep(600)"
      children = [subprocess.Popen([sys.executable, "-S", "-c", hungry]) for _ in range(6)]
      time.sleep(600)
    `;
    expect(await outcomeOf({ memoryLimitMb: 300 }, code)).toMatch(/python\.memoryLimitMb allows/);
    expect(numberIn("memory.peak") / 2 ** 20).toBeLessThan(320);
  });

  test("memory in /dev/shm counts", async () => {
    const code = py`
      import os, time
      with open(f"/dev/shm/granary-{os.getpid()}", "wb") as file:
          os.unlink(file.name)
          for _ in range(60):
              file.write(bytes(10 << 20))
          time.sleep(600)
    `;
    expect(await outcomeOf({ memoryLimitMb: 300 }, code)).toContain("python.memoryLimitMb allows");
  });

  test("a daemon that cleared its environment counts", async () => {
    const code = py`
      import subprocess, time
      for _ in range(6):
          subprocess.run(["env", "-i", "/bin/sh", "-c", "setsid sleep 600 </dev/null >/dev/null 2>&1 &"])
      time.sleep(600)
    `;
    expect(await outcomeOf({ maxProcesses: 5 }, code)).toContain("python.maxProcesses allows 5");
  });

  test("a flood of threads or processes ends at the system's wall", async () => {
    const code = py`
      import threading
      wait = threading.Event()
      count = 0
      try:
          while count < 3000:
              threading.Thread(target=wait.wait, daemon=True).start()
              count += 1
      except RuntimeError as problem:
          print("refused", 900 < count < 1010, problem)
      wait.set()
    `;
    expect(await outcomeOf({ maxProcesses: 2 }, code)).toContain("refused True");
  });

  test("a session that the system ended for its memory comes back from a checkpoint, which the group does not hold", async () => {
    const python = {
      interpreter: newestPython().path,
      memoryLimitMb: 300,
      checkpoints: "always",
      checkpointMemoryMb: 1,
    } as const;
    await using runtime = await createRuntime({ settings: { python } });
    const session = runtime.session();
    await session.run("kept = 42").result;
    // Until the copy has been moved.
    await session.run("import os, time; time.sleep(1)").result;
    await session.run("time.sleep(1)").result;
    const hungry = await session.run(py`
      with open(f"/dev/shm/granary-{os.getpid()}", "wb") as file:
          os.unlink(file.name)
          for _ in range(60):
              file.write(bytes(10 << 20))
          time.sleep(600)
    `).result;
    expect(JSON.stringify(hungry)).toContain("python.memoryLimitMb allows, so the system ended Python");
    expect(hungry.ledger.state).toBe("restored");
    expect((await session.run("kept").result).output).toBe("42\n");
  });

  test("neither groups nor daemons are left of kernels that have ended", async () => {
    const left = () => readdirSync(own).filter((name) => name.startsWith("kernel-"));
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
  });
});
