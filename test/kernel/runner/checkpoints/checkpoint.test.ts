import { expect, test } from "vitest";
import type { Kernel } from "../../../../src/kernel/kernel.ts";
import type { KernelCheckpoint } from "../../../../src/kernel/runner/checkpoints/kernel-checkpoint.ts";
import { newestPython, oldestPython } from "../../../environment/pythons.ts";
import { interruptWhenReady, printed, run, runToDeath } from "../../collect.ts";
import { startRunner } from "../start-runner.ts";
import { takeCheckpoint } from "./start-restored.ts";

for (const python of [oldestPython(), newestPython()]) {
  test(`a copy of a kernel on Python ${python.version} becomes a kernel with its variables`, async () => {
    await using kernel = await startRunner(python.path);
    await run(
      kernel,
      "import random, threading, sys\nx = [1]\ndef f(): return x\nrandom.seed(7); random.random()\nkept = sys.stdout",
    );
    const checkpoint = await takeCheckpoint(kernel);
    expect(checkpoint.count).toBe(1);
    await run(kernel, "x.append('later'); after = random.random()");
    await using copy = await restored(checkpoint);
    expect(copy.info.pid).not.toBe(kernel.info.pid);
    expect(await printed(copy, "print(x, f() is x, threading.active_count(), file=kept)")).toBe("[1] True 1\n");
    const [one, other] = await Promise.all([kernel, copy].map((each) => printed(each, "print(random.random())")));
    expect(one).not.toBe(other);
    expect(await printed(kernel, "print(x)")).toBe("[1, 'later']\n");
    const outcome = (await interruptWhenReady(copy, "print('ready', flush=True)\nwhile True: pass")).outcome;
    expect(outcome).toBe("interrupted");
    expect((await run(copy, "input('?')", { answer: async () => "yes" })).result?.["text/plain"]).toBe("'yes'");
    expect((await run(copy, "import subprocess; subprocess.run(['echo', 'child']); 1/0")).text).toBe("child\n");
    await runToDeath(copy, "import os; os.abort()");
    const exit = await copy.exited;
    expect(exit.signal).toBe("SIGABRT");
    expect(exit.stack).toContain("<cell");
    await using again = await restored(checkpoint);
    expect(await printed(again, "print(x, random.random() == random.random())")).toBe("[1] False\n");
  });
}

function restored(checkpoint: KernelCheckpoint): Promise<Kernel> {
  return checkpoint.restore({ isAlone: false, signal: AbortSignal.timeout(10_000) });
}
