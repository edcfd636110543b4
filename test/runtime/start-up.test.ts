import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sayCount } from "../../src/support/say-count.ts";
import { isRunning } from "../kernel/processes.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

/** A project with a module that kernels run when they start; it writes down the process it runs in. */
function projectWith(module: string): { readonly folder: string; readonly pid: () => number } {
  const folder = temporaryFolder();
  const modules = join(folder, ".granary", "modules");
  mkdirSync(modules, { recursive: true });
  const noting = `import os\nwith open(${JSON.stringify(join(folder, "pid"))}, "w") as file: file.write(str(os.getpid()))\n`;
  writeFileSync(join(modules, "slow.py"), noting + module);
  return { folder, pid: () => Number(readFileSync(join(folder, "pid"), "utf8")) };
}

const hanging = projectWith("import time\nwhile True: time.sleep(1)");
const closed = projectWith("import time\nwhile True: time.sleep(1)");
const stubborn = projectWith(py`
  import time
  while True:
      try:
          time.sleep(1)
      except KeyboardInterrupt: pass
`);
const silent = temporaryFolder();

/** Gives Python more time, until it is the module that takes too long and not a busy machine. */
async function startUntilModule() {
  for (const seconds of [1, 5, 40]) {
    await using granary = await runtimeIn(hanging.folder, { startSeconds: seconds });
    const result = await granary.session().run("1").result;
    if (existsSync(join(hanging.folder, "pid"))) return { seconds, ...result };
  }
  throw new Error("Python did not come to the module within 40 seconds.");
}

describe("a start that takes too long", () => {
  test("in a module of the project says so, and leaves no process", async () => {
    const { seconds, failure, ledger, status } = await startUntilModule();
    expect({ status, code: failure?.code }).toEqual({ status: "failed", code: "start-timeout" });
    expect(failure?.message).toContain(
      `Python was not ready within ${sayCount(seconds, "second")} (the setting python.startSeconds). `,
    );
    expect(failure?.message).toContain("slow.py");
    expect(ledger).toEqual({ generation: 0, state: "lost", reason: "No kernel has been started." });
    await until("its process is gone", () => !isRunning(hanging.pid()));
  });

  test("in a Python that never says a word leaves no process", async () => {
    const python = join(silent, "python3");
    writeFileSync(python, `#!/bin/sh\necho $$ > ${silent}/pid\nexec sleep 600\n`);
    chmodSync(python, 0o755);
    await using granary = await runtimeIn(silent, { startSeconds: 1, interpreter: python, skipCheck: true });
    const { failure } = await granary.session().run("1").result;
    expect(failure?.code).toMatch(/^start-/);
    if (existsSync(join(silent, "pid"))) {
      const pid = Number(readFileSync(join(silent, "pid"), "utf8"));
      await until("its process is gone", () => !isRunning(pid));
    }
  });
});

describe("an aborted start", () => {
  test("is cancelled, even if the hanging code ignores interrupts", async () => {
    await using granary = await runtimeIn(stubborn.folder, { interruptGraceSeconds: 0.1 });
    const execution = granary.session().run("1");
    await until("it hangs", () => existsSync(join(stubborn.folder, "pid")) && stubborn.pid() > 0);
    await execution.interrupt();
    expect(await execution.result).toMatchObject({ status: "cancelled", attempts: 0 });
    await until("its process is gone", () => !isRunning(stubborn.pid()));
  });

  test("is cancelled when the runtime is closed", async () => {
    const granary = await runtimeIn(closed.folder);
    const execution = granary.session().run("1");
    await until("it hangs", () => existsSync(join(closed.folder, "pid")) && closed.pid() > 0);
    await granary.close();
    expect((await execution.result).status).toBe("cancelled");
    expect(isRunning(closed.pid())).toBe(false);
  });
});
