import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { whyNotWarm } from "../../src/runtime/warm/warm-starts.ts";
import { newestPython } from "../environment/pythons.ts";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

const venv = temporaryFolder();
execFileSync(newestPython().path, ["-m", "venv", "--without-pip", venv]);
const interpreter = join(venv, "bin/python");
const library = join(venv, "lib", readdirSync(join(venv, "lib"))[0] as string, "site-packages");
const log = join(venv, "log");
writeFileSync(log, "");
const notesItsImport = `open(${JSON.stringify(log)}, "a").write("x")\nvalue = 1\n`;
writeFileSync(join(library, "notes_its_import.py"), notesItsImport);
// Two of the names that `auto` imports ahead.
writeFileSync(join(library, "pytz.py"), notesItsImport);
writeFileSync(
  join(library, "dateutil.py"),
  "import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n",
);
const imports = (): number => readFileSync(log, "utf8").length;

describe.skipIf(process.platform !== "linux")("a host that runs for a while", () => {
  test("forks the kernels of its later sessions, and leaves nothing behind", async () => {
    const folder = temporaryFolder();
    const granary = await runtimeIn(folder, { interpreter, warm: "auto", maxSessions: 100 });
    const pid = await firstForked(granary);
    const session = granary.session("next");
    const { output } = await session.run(
      "import os; print(os.getcwd(), os.environ['ARTIFACTS'].endswith('next'), bool(bash))",
    ).result;
    expect(output).toBe(`${folder} True True\n`);
    const helpers = await session.run(
      "import sys; print(len([m for m in sys.meta_path if type(m).__name__ == 'Files']), find_files)",
    ).result;
    expect(helpers.output).toMatch(/^1 <function find_files/);
    const parent = parentOf(pid);
    const family = [parent, ...childrenOf(parent).split(" ").map(Number)];
    expect(family.length).toBeGreaterThan(2);
    await granary.close();
    expect(family.filter(isRunning)).toEqual([]);
  });

  test("gives every call of `per-call` mode a forked kernel", async () => {
    await using granary = await runtimeIn(temporaryFolder(), { interpreter, warm: "auto", kernelMode: "per-call" });
    const session = granary.session();
    const forked = async (): Promise<boolean> => {
      const { output } = await session.run("import os; print(os.getppid())").result;
      return Number(output) !== process.pid;
    };
    await until("a call has a forked kernel", forked);
    expect(await forked()).toBe(true);
  });

  test("never does with python.warm off", async () => {
    await using granary = await runtimeIn(temporaryFolder(), { interpreter, maxSessions: 100, warm: false });
    for (const id of ["a", "b", "c", "d"]) {
      const { output } = await granary.session(id).run("import os; print(os.getppid())").result;
      expect(Number(output)).toBe(process.pid);
    }
  });

  test("imports ahead what cells of the folder have used before, and only in that folder", async () => {
    const folder = temporaryFolder();
    {
      await using granary = await runtimeIn(folder, { interpreter, warm: "auto" });
      await granary.session().run("import pytz as n, dateutil").result;
    }
    const before = imports();
    await using granary = await runtimeIn(folder, { interpreter, warm: "auto", maxSessions: 100 });
    await firstForked(granary);
    // Twice, since the first interpreter was spoiled by the other module.
    expect(imports()).toBe(before + 2);
    expect((await granary.session("new").run("import pytz as n; n.value").result).output.trim()).toBe("1");
    expect(imports()).toBe(before + 2);
    const remembered = readdirSync(join(folder, "home/preload")).map((name) =>
      readFileSync(join(folder, "home/preload", name), "utf8"),
    );
    expect(remembered.length).toBe(1);
    expect(JSON.parse(remembered[0] as string)).toMatchObject({
      folder,
      used: { pytz: expect.any(String) },
      dropped: { dateutil: { why: "it starts threads while it is imported" } },
    });
  });

  test("imports nothing ahead as long as it has one kernel", async () => {
    const folder = temporaryFolder();
    {
      await using granary = await runtimeIn(folder, { interpreter, warm: "auto" });
      await granary.session().run("import pytz as n").result;
    }
    const before = imports();
    await using granary = await runtimeIn(folder, { interpreter, warm: "auto", maxSessions: 100 });
    await granary.session("only").run("1").result;
    await until("there is a warm Python with a spare kernel", () =>
      ownTemplates().some((pid) => childrenOf(pid) !== ""),
    );
    expect(imports()).toBe(before);
    const { output } = await granary.session("second").run("import os; print(os.getppid())").result;
    expect(ownTemplates()).toContain(Number(output));
    await until("the module is imported ahead", () => imports() === before + 1);
  });

  test("imports ahead what its earlier sessions have used, without a restart", async () => {
    await using granary = await runtimeIn(temporaryFolder(), { interpreter, warm: "auto", kernelMode: "per-call" });
    const session = granary.session();
    await until("calls are forked", async () => {
      const { output } = await session.run("import os; print(os.getppid())").result;
      return Number(output) !== process.pid;
    });
    await until("a call finds the module imported", async () => {
      const before = imports();
      expect((await session.run("import pytz as n; n.value").result).output.trim()).toBe("1");
      return imports() === before;
    });
  });

  test("imports ahead what is not known to be harmless only where the setting names it", async () => {
    const folder = temporaryFolder();
    {
      await using granary = await runtimeIn(folder, { interpreter, warm: "auto" });
      await granary.session().run("import notes_its_import as n").result;
    }
    const before = imports();
    await using granary = await runtimeIn(folder, { interpreter, warm: "auto", maxSessions: 100 });
    await firstForked(granary);
    expect(imports()).toBe(before);
  });

  test("imports ahead what the setting names, and nothing for []", async () => {
    for (const [preload, count] of [
      [["notes_its_import"], 1],
      [[], 0],
    ] as const) {
      const before = imports();
      await using granary = await runtimeIn(temporaryFolder(), {
        interpreter,
        warm: "auto",
        maxSessions: 100,
        preload,
      });
      await firstForked(granary);
      expect(imports() - before).toBe(count);
    }
  });
});

test("where kernels are not forked, there is a reason", () => {
  expect(whyNotWarm({ warm: "auto" }, "linux")).toBe(null);
  expect(whyNotWarm({ warm: false }, "linux")).toBe("python.warm is off");
  expect(whyNotWarm({ warm: "auto" }, "darwin")).toContain("measured on Linux only");
  expect(whyNotWarm({ warm: true }, "darwin")).toBe(null);
  expect(whyNotWarm({ warm: true }, "win32")).toBe("Windows cannot fork");
});

/** The first sessions have spawned kernels. */
async function firstForked(granary: Runtime): Promise<number> {
  let pid = 0;
  let count = 0;
  await until("a session has a forked kernel", async () => {
    const { output } = await granary.session(`s${count++}`).run("import os; print(os.getpid(), os.getppid())").result;
    const [own, parent] = output.trim().split(" ").map(Number);
    pid = own as number;
    return parent !== process.pid;
  });
  return pid;
}

/** The warm Pythons of this process. */
function ownTemplates(): readonly number[] {
  const pids = childrenOf(process.pid).split(" ").filter(Boolean).map(Number);
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("\0template\0"));
}

function childrenOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
}
