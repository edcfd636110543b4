import { describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import type { ExecutionResult } from "../../src/session/execution/execution.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";

interface Limits {
  readonly memoryLimitMb?: number;
  readonly cpuSeconds?: number;
  readonly maxProcesses?: number;
}

/** The result of a cell in a session with these limits, and of `1 + 1` after it. */
async function limited(limits: Limits, code: string): Promise<readonly [ExecutionResult, ExecutionResult]> {
  const settings = { python: { interpreter: newestPython().path, crashRetry: "never", ...limits } } as const;
  const runtime = await createRuntime({ settings });
  try {
    const session = runtime.session();
    return [await session.run(code).result, await session.run("1 + 1").result];
  } finally {
    await runtime.close();
  }
}

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  "an allocation beyond python.memoryLimitMb raises MemoryError, and the session continues",
  async () => {
    const [result, next] = await limited({ memoryLimitMb: 300 }, "x = bytearray(600 << 20)");
    expect(result.error?.name).toBe("MemoryError");
    expect(next.output).toContain("2");
    expect(next.ledger.state).toBe("alive");
  },
);

test.skipIf(!isLinux)(
  "children count: a kernel whose processes use more memory together is ended, with the reason",
  async () => {
    const code = py`
    import subprocess, sys, time
    hungry = "x = bytearray(200 << 20); import time; time.sleep(600)"
    children = [subprocess.Popen([sys.executable, "-c", hungry]) for _ in range(3)]
    time.sleep(600)
  `;
    const [result, next] = await limited({ memoryLimitMb: 400 }, code);
    expect(JSON.stringify(result)).toContain("python.memoryLimitMb allows 400");
    expect(next.output).toContain("2");
  },
);

test.skipIf(!isLinux)("memory that processes could share counts, once for all of them", async () => {
  const share = (megabytes: number): string => py`
    import mmap, os, time
    shared = mmap.mmap(-1, ${megabytes} << 20)
    for at in range(0, len(shared), 4096): shared[at] = 1
    for _ in range(3):
        if os.fork() == 0:
            sum(shared[::4096])
            time.sleep(1)
            os._exit(0)
    for _ in range(3): os.wait()
    print("done")
  `;
  const [within] = await limited({ memoryLimitMb: 400 }, share(200));
  expect(within.output).toContain("done");
  const [beyond, next] = await limited({ memoryLimitMb: 400 }, share(600));
  expect(JSON.stringify(beyond)).toContain("python.memoryLimitMb allows 400");
  expect(next.output).toContain("2");
});

test.skipIf(!isLinux)("a cell that uses more CPU time than python.cpuSeconds is ended, with the reason", async () => {
  const [result, next] = await limited({ cpuSeconds: 1 }, "while True: pass");
  expect(JSON.stringify(result)).toContain("python.cpuSeconds");
  expect(next.output).toContain("2");
});

test.skipIf(!isLinux)(
  "a cell that starts more processes than python.maxProcesses is ended, with the reason",
  async () => {
    // Children of every thread count.
    const code = py`
    import subprocess, threading, time
    start = lambda: [subprocess.Popen(["sleep", "600"]) for _ in range(8)] + [time.sleep(600)]
    threading.Thread(target=start, daemon=True).start()
    time.sleep(600)
  `;
    const [result, next] = await limited({ maxProcesses: 5 }, code);
    expect(JSON.stringify(result)).toContain("python.maxProcesses allows 5");
    expect(next.output).toContain("2");
  },
);

test.skipIf(!isLinux)("daemons count, though Python is no longer above them", async () => {
  const code = py`
    import subprocess, sys, time
    daemon = "import os; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); os.execvp('sleep', ['sleep', '600'])"
    for _ in range(6):
        subprocess.run([sys.executable, "-S", "-c", daemon])
    time.sleep(600)
  `;
  const [result, next] = await limited({ maxProcesses: 5 }, code);
  expect(JSON.stringify(result)).toContain("python.maxProcesses allows 5");
  expect(next.output).toContain("2");
});

describe.skipIf(!isLinux)("checkpoints beside limits", () => {
  const settings = { python: { interpreter: newestPython().path, warm: false, checkpoints: "always" } } as const;

  test("a kernel that is ended for its memory comes back with its variables, and is watched again", async () => {
    const limits = { ...settings.python, memoryLimitMb: 400 };
    await using runtime = await createRuntime({ settings: { python: limits } });
    const session = runtime.session();
    await session.run("data = bytearray(150 << 20); kept = 42").result;
    await session.run("import subprocess, sys, time").result;
    for (let round = 0; round < 2; round++) {
      const hungry = await session.run(py`
        hungry = "x = bytearray(200 << 20); import time; time.sleep(600)"
        children = [subprocess.Popen([sys.executable, "-c", hungry]) for _ in range(3)]
        time.sleep(600)
      `).result;
      expect(JSON.stringify(hungry)).toContain("python.memoryLimitMb allows 400");
      expect(hungry.ledger.state).toBe("restored");
    }
    const beyond = await session.run("more = bytearray(600 << 20)").result;
    expect(beyond.error?.name).toBe("MemoryError");
    expect((await session.run("kept, len(data) >> 20").result).output).toBe("(42, 150)\n");
  });

  test("copies do not count: neither their memory nor their number ends a kernel", async () => {
    const limits = { ...settings.python, memoryLimitMb: 300, maxProcesses: 2, checkpointCopies: 5 };
    await using runtime = await createRuntime({ settings: { python: limits } });
    const session = runtime.session();
    await session.run("import time; data = bytearray(150 << 20)").result;
    for (let cell = 0; cell < 6; cell++) {
      const { ledger } = await session.run("time.sleep(0.3)").result;
      expect(ledger.noCheckpoint).toBeUndefined();
      expect(ledger.state).toBe("alive");
    }
    expect(session.checkpoints().length).toBeGreaterThan(3);
    expect((await session.run("len(data) >> 20").result).output).toBe("150\n");
  });
});
