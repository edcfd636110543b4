import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import type { Kernel } from "../../../src/kernel/kernel.ts";
import type { KernelCheckpoint } from "../../../src/kernel/runner/checkpoints/kernel-checkpoint.ts";
import { makeOwnedFolder, sweepFoldersOfDeadOwners } from "../../../src/support/files/owned-folder.ts";
import { hasHadChildren } from "../../../src/support/process/kernel-mark.ts";
import { newestPython } from "../../environment/pythons.ts";
import { printed } from "../collect.ts";
import { expectNothingLeft, leavers, numbersIn, watchersOf } from "../leavers.ts";
import { isRunning } from "../processes.ts";
import { py } from "../py.ts";
import { until } from "../until.ts";
import { takeCheckpoint } from "./checkpoints/start-restored.ts";
import { plainEnvironment, startRunner } from "./start-runner.ts";
import { WarmStarter } from "./warm/start-warm.ts";

/** Other systems do not show the environments of processes. */
describe.skipIf(process.platform !== "linux")("processes that left the kernel's process group", () => {
  test("end when the kernel is closed", async () => {
    await expectNothingLeft(await startRunner(newestPython().path));
  });

  test("end when a kernel is closed that was forked from a warm Python", async () => {
    await using starter = new WarmStarter(newestPython().path);
    const kernel = await starter.start();
    await expectNothingLeft(kernel);
  });

  test("end when a kernel is closed that was made out of a checkpoint; those of its twins stay", async () => {
    const first = await startRunner(newestPython().path);
    const ofFirst = numbersIn(await printed(first, leavers));
    // The pids above are in the state of the copy, and the processes belong to the first kernel.
    const checkpoint = await takeCheckpoint(first);
    const [one, other] = await Promise.all([restored(checkpoint), restored(checkpoint)]);
    const ofOther = numbersIn(await printed(other, leavers));
    await expectNothingLeft(one);
    expect([...ofFirst, ...ofOther].every(isRunning)).toBe(true);
    const again = await restored(await takeCheckpoint(other));
    await other.close();
    expect(ofOther.filter(isRunning)).toEqual([]);
    await expectNothingLeft(again);
    await first.close();
    expect(ofFirst.filter(isRunning)).toEqual([]);
    checkpoint.drop();
  });

  test("end when a kernel is closed whose cell starts its first one at the interrupt", async () => {
    const kernel = await startRunner(newestPython().path);
    const cell = py`
      import subprocess, time
      print("on", flush=True)
      try:
          time.sleep(600)
      except KeyboardInterrupt:
          print(subprocess.Popen(["sleep", "615"], start_new_session=True).pid, flush=True)
    `;
    let text = "";
    let closing = Promise.resolve();
    for await (const event of kernel.execute(cell)) {
      if (event.type !== "stream") continue;
      text += event.text;
      if (text === "on\n") closing = kernel.close();
    }
    await closing;
    const pids = numbersIn(text);
    expect(pids).toHaveLength(1);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  /** A search for variables would read all of it, and take as much memory. */
  const muchEnvironment = py`
    import subprocess, sys
    hoarder = subprocess.Popen([sys.executable, ${JSON.stringify(inRepository("test/support/much_environment.py"))}, "1000000000"], stdout=subprocess.PIPE)
    hoarder.stdout.readline()
  `;

  const hosts = { "": "", ", also beside one with a gigabyte of variables": muchEnvironment };
  test.each(Object.entries(hosts))("end when the host is killed%s", async (_, before) => {
    const backend = inRepository("dist/kernel/runner/runner-backend.js");
    const file = join(mkdtempSync(join(tmpdir(), "granary-left-")), "pids");
    const code = `${before}\n${leavers}\nopen(${JSON.stringify(file)}, "w").write(f"{group.pid} {session.pid}")\nprint("ready", flush=True)`;
    const args = [inRepository("test/kernel/runner/host-to-be-killed.mjs"), backend, newestPython().path, code];
    const host = spawn(process.execPath, args, { env: plainEnvironment, stdio: ["ignore", "pipe", "inherit"] });
    await once(host.stdout, "data");
    const pids = numbersIn(readFileSync(file, "utf8"));
    expect(pids.every(isRunning)).toBe(true);
    // A host is watched from its second second on.
    await until("the host is watched", () => watchersOf(host) > 0);
    host.kill("SIGKILL");
    await until("they have ended", () => !pids.some(isRunning));
  });

  test("are not searched for where a kernel had no children", async () => {
    const kernel = await startRunner(newestPython().path);
    const { pid } = kernel.info as { pid: number };
    await printed(kernel, "1 + 1");
    expect(hasHadChildren(pid)).toBe(false);
    await printed(kernel, "import subprocess; subprocess.run('true')");
    expect(hasHadChildren(pid)).toBe(true);
    await kernel.close();
  });

  test("a Python that hangs while Granary asks for its version ends with Granary", async () => {
    const folder = mkdtempSync(join(tmpdir(), "granary-left-"));
    const python = join(folder, "python");
    writeFileSync(python, `#!/bin/sh\necho $$ > ${folder}/pid\nexec sleep 614\n`);
    chmodSync(python, 0o755);
    const ask = `const { askPython } = await import(${JSON.stringify(inRepository("dist/python/find/ask-python.js"))});
      await askPython(${JSON.stringify(python)}, { cwd: "/", env: process.env, signal: AbortSignal.timeout(60000) });`;
    const host = spawn(process.execPath, ["--input-type=module", "-e", ask], { env: plainEnvironment });
    await until("it hangs", () => existsSync(join(folder, "pid")));
    await until("the host is watched", () => watchersOf(host) > 0);
    const [pid = 0] = numbersIn(readFileSync(join(folder, "pid"), "utf8"));
    expect(isRunning(pid)).toBe(true);
    host.kill("SIGKILL");
    await until("it has ended", () => !isRunning(pid));
  });
});

describe("temporary folders", () => {
  test("of killed processes are removed by a later start; those of living ones and of others stay", async () => {
    const own = makeOwnedFolder("zmq");
    const dead = spawn("true");
    await once(dead, "exit");
    const left = own.replace(`-${process.pid}-`, `-${dead.pid}-`);
    mkdirSync(left);
    writeFileSync(join(left, "kernel.json"), "{}");
    const elsewhere = left.replace(/-zmq-\d+-/, "-zmq-1-");
    mkdirSync(elsewhere);
    await sweepFoldersOfDeadOwners();
    expect([own, left, elsewhere].map((folder) => existsSync(folder))).toEqual([true, false, true]);
    for (const folder of [own, elsewhere]) rmSync(folder, { recursive: true });
  });
});

function restored(checkpoint: KernelCheckpoint): Promise<Kernel> {
  return checkpoint.restore({ isAlone: false, signal: AbortSignal.timeout(20_000) });
}
