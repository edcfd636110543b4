import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { newestPython, oldestPython } from "../../../environment/pythons.ts";
import { printed } from "../../collect.ts";
import { plainEnvironment, temporaryFolder } from "../start-runner.ts";
import { WarmStarter } from "./start-warm.ts";

const who = "a .pth file or sitecustomize";
const starts: Record<string, readonly [source: string, why: string]> = {
  "a thread": [
    "import threading, time; threading.Thread(target=time.sleep, args=(600,), daemon=True).start()",
    `${who} starts a thread when Python starts`,
  ],
  "a connection": [
    "import socket, sys; sys.kept = socket.socketpair()",
    `${who} opens a file or a connection when Python starts`,
  ],
  "a process": [
    "import subprocess, sys; sys.kept = subprocess.Popen(['sleep', '600'])",
    `${who} starts a process when Python starts`,
  ],
};

for (const { path, version } of [newestPython(), oldestPython()]) {
  const venv = temporaryFolder();
  execFileSync(path, ["-m", "venv", "--without-pip", venv]);
  const library = join(venv, "lib", readdirSync(join(venv, "lib"))[0] as string, "site-packages");
  const python = join(venv, "bin/python");
  afterAll(() => rmSync(venv, { recursive: true, force: true }));

  describe.skipIf(process.platform !== "linux")(`on Python ${version}, where a .pth file starts`, () => {
    test.each(Object.entries(starts))("%s, kernels are spawned", async (_what, [source, why]) => {
      writeFileSync(join(library, "agent.pth"), `${source}\n`);
      await using starter = new WarmStarter(python);
      await (await starter.try()).kernel.close();
      await starter.warm.settled();
      const { kernel, isForked } = await starter.try();
      expect([isForked, await printed(kernel, "print(1)")]).toEqual([false, "1\n"]);
      await kernel.close();
      const options = { interpreter: python, cwd: temporaryFolder(), env: { ...plainEnvironment } };
      expect(await starter.warm.try(options)).toEqual({ problem: why });
    });

    test("nothing, kernels are forked", async () => {
      writeFileSync(join(library, "agent.pth"), "");
      await using starter = new WarmStarter(python);
      await using kernel = await starter.start();
      expect(await printed(kernel, "print(1)")).toBe("1\n");
    });
  });
}
