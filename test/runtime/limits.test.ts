import { expect, test } from "vitest";
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
