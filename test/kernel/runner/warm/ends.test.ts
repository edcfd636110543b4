import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { bunPath } from "../../../../scripts/bun-path.mjs";
import { inRepository } from "../../../../scripts/repository.mjs";
import { newestPython } from "../../../environment/pythons.ts";
import { printed, run, runToDeath } from "../../collect.ts";
import { groupMembers, isRunning } from "../../processes.ts";
import { until } from "../../until.ts";
import { plainEnvironment, temporaryFolder } from "../start-runner.ts";
import { WarmStarter, warmStarter } from "./start-warm.ts";

const { path: python } = newestPython();
const isLinux = process.platform === "linux";

describe("the end of a forked kernel is reported as that of a spawned one", () => {
  const starter = warmStarter(python);

  test.each([
    ["import os; os._exit(3)", 3, null, "exit code 3"],
    ["import os; os.abort()", null, "SIGABRT", "SIGABRT, at File"],
    ["import os; os.kill(os.getpid(), 9)", null, "SIGKILL", "SIGKILL"],
    ["import os; os.kill(os.getpid(), 15)", null, "SIGTERM", "SIGTERM"],
    ["import faulthandler; faulthandler._sigsegv()", null, "SIGSEGV", "SIGSEGV, at File"],
  ])("%s", async (code, exitCode, signal, summary) => {
    const kernel = await starter.start();
    await runToDeath(kernel, code);
    const exit = await kernel.exited;
    expect([exit.exitCode, exit.signal, exit.byItself]).toEqual([exitCode, signal, true]);
    expect(exit.summary).toContain(summary);
  });

  test("a sibling goes on", async () => {
    await using sibling = await starter.start();
    await run(sibling, "x = 1");
    await runToDeath(await starter.start(), "import os; os.killpg(0, 9)");
    expect(await printed(sibling, "print(x)")).toBe("1\n");
  });
});

test.skipIf(!isLinux)(
  "a kernel survives the death of the interpreter that forked it, and the next ones start all the same",
  async () => {
    await using starter = new WarmStarter(python);
    const kernel = await starter.start();
    await run(kernel, "x = 1");
    process.kill(parentOf(kernel.info.pid as number), "SIGKILL");
    expect(await printed(kernel, "print(x)")).toBe("1\n");
    await using next = await starter.start();
    expect(await printed(next, "print(2)")).toBe("2\n");
    await runToDeath(kernel, "import os; os._exit(4)");
    const exit = await kernel.exited;
    expect(exit.summary).toBe(
      "Python ended. Its exit code is unknown, because the process that had forked it is gone or hangs.",
    );
    expect([exit.exitCode, exit.signal]).toEqual([null, null]);
  },
);

test.skipIf(!isLinux)("twenty kernels later nothing runs, no descriptor is open and no file is left", async () => {
  const descriptors = (): number => readdirSync("/proc/self/fd").length;
  // The shell that watches for the end of this process has one pipe, for as long as this process runs.
  const watcher = 1;
  const before = descriptors() + watcher;
  const folder = temporaryFolder();
  vi.stubEnv("TMPDIR", folder);
  await using starter = new WarmStarter(python);
  const pids: number[] = [];
  for (let round = 0; round < 20; round++) {
    const kernel = await starter.start();
    pids.push(kernel.info.pid as number, parentOf(kernel.info.pid as number));
    await run(kernel, round % 3 === 0 ? "import os; os._exit(1)" : "print('x')").catch(() => undefined);
    await kernel.close();
  }
  const template = pids.at(-1) as number;
  const spares = childrenOf(template);
  await starter.warm.close();
  expect([...pids, ...spares].filter(isRunning)).toEqual([]);
  await until("the descriptors are closed", () => descriptors() <= before);
  expect(readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
});

test.skipIf(!isLinux)("an interpreter that nobody needs ends, and comes back when it is needed", async () => {
  await using starter = new WarmStarter(python, { idleMs: 300 });
  const kernel = await starter.start();
  const template = parentOf(kernel.info.pid as number);
  await kernel.close();
  await until("it has ended", () => !isRunning(template));
  await using next = await starter.start();
  expect(parentOf(next.info.pid as number)).not.toBe(template);
});

test.skipIf(!isLinux)("when memory is short, interpreters end, and their kernels live on", async () => {
  await using starter = new WarmStarter(python);
  await using kernel = await starter.start();
  const template = parentOf(kernel.info.pid as number);
  const spare = (): number[] => childrenOf(template).filter((pid) => pid !== kernel.info.pid);
  await until("there is a spare", () => spare().length === 1);
  starter.warm.letGo();
  await until("the spare one is gone", () => spare().length === 0);
  expect(await printed(kernel, "print(1)")).toBe("1\n");
  await kernel.close();
  await until("the interpreter is gone", () => !isRunning(template));
});

const hosts = {
  Node: { program: process.execPath, dist: "dist", extension: "js" },
  Bun: { program: bunPath(), dist: "src", extension: "ts" },
};

for (const [name, { program, dist, extension }] of Object.entries(hosts)) {
  describe.skipIf(program === undefined || !isLinux)(`a host on ${name}`, () => {
    const start = (how: string) => {
      const modules = ["runner-backend", "warm/warm-interpreters"].map((module) =>
        inRepository(`${dist}/kernel/runner/${module}.${extension}`),
      );
      const script = inRepository("test/kernel/runner/warm/host-with-warm-kernels.mjs");
      const host = spawn(program as string, [script, ...modules, python, how], {
        env: plainEnvironment,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const said = new Promise<string>((resolve) => host.stdout.once("data", (text) => resolve(String(text))));
      const ended = new Promise<number | null>((resolve) => host.once("exit", resolve));
      return { host, said, ended };
    };

    test("takes its kernels, the spare one and the interpreter with it when it is killed", async () => {
      const { host, said } = start("wait");
      const pid = Number(await said);
      const template = parentOf(pid);
      await until("there is a spare", () => childrenOf(template).length >= 2);
      const all = [template, ...childrenOf(template)];
      host.kill("SIGKILL");
      await until("nothing is left", () => all.every((each) => groupMembers(each).length === 0));
    });

    test("ends by itself when it has closed its kernels", async () => {
      const { said, ended } = start("end");
      const template = Number(await said);
      expect(await ended).toBe(0);
      await until("nothing is left", () => !isRunning(template));
    });
  });
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]);
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}
