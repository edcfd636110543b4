import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { CpuTime } from "../../src/runtime/limits/cpu-time.ts";
import { SharedMemory } from "../../src/runtime/limits/shared-memory.ts";
import { type OwnUsage, usageOf } from "../../src/runtime/limits/usage.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import type { ExecutionResult } from "../../src/session/execution/execution.ts";
import { deferred } from "../../src/support/deferred.ts";
import { procChildren } from "../../src/support/process/proc-files.ts";
import { newestPython } from "../environment/pythons.ts";
import { testedPythons } from "../environment/variants.ts";
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
  "a huge allocation raises MemoryError, which names the setting, and the session continues",
  async () => {
    const [result, next] = await limited({ memoryLimitMb: 300 }, "x = bytearray(64 << 30)");
    expect(result.error?.name).toBe("MemoryError");
    expect(result.output).toContain("The setting python.memoryLimitMb limits this kernel to 300 MB.");
    expect(next.output).toContain("2");
    expect(next.ledger.state).toBe("alive");
  },
);

test.skipIf(!isLinux)(
  "a thread whose stack finds no room below the limit fails with an error that names the setting",
  async () => {
    const code = py`
    import os, threading, time
    data = bytearray(os.urandom(1 << 20)) * 180
    time.sleep(0.5)
    threading.stack_size(200 << 20)
    threading.Thread(target=print).start()
  `;
    const [result] = await limited({ memoryLimitMb: 300 }, code);
    expect(result.error?.message).toBe("can't start new thread");
    expect(result.output).toContain("The setting python.memoryLimitMb limits this kernel to 300 MB.");
  },
);

describe.skipIf(!isLinux)("memory that runs out in small steps", () => {
  const hungry = {
    "of 100 kB": "x.append(bytearray(100_000))",
    "of lists": "x.append([1] * 30)",
    "of texts that are caught": "try: x.append('.' * 9_999)\n    except MemoryError: x.append('.' * 99_999)",
  };
  test.each(testedPythons())(
    "raises MemoryError, and the session keeps its variables, on $version",
    async ({ path }) => {
      const python = { interpreter: path, crashRetry: "never", checkpoints: "off", memoryLimitMb: 200 } as const;
      await using runtime = await createRuntime({ settings: { python } });
      const session = runtime.session();
      await session.run("kept = 42").result;
      for (const [steps, step] of Object.entries(hungry)) {
        const failed = await session.run(`x = []\nwhile True:\n    ${step}`).result;
        expect([steps, failed.error?.name, failed.ledger.reason]).toEqual([steps, "MemoryError", null]);
        const after = await session.run("del x\nlen([bytearray(10_000) for _ in range(1000)]), kept").result;
        expect([steps, after.output]).toEqual([steps, "(1000, 42)\n"]);
      }
    },
  );

  test("is the reason that is reported where code ends Python then", async () => {
    const code = py`
      import os
      x = []
      try:
          while True: x.append(bytearray(100_000))
      except MemoryError:
          os.write(2, b"MemoryError\n")
          os._exit(1)
    `;
    const [result] = await limited({ memoryLimitMb: 200 }, code);
    expect(JSON.stringify(result)).toContain("for lack of memory: python.memoryLimitMb allows 200 MB");
  });
});

test.skipIf(!isLinux)(
  "memory that is reserved and not used does not count, such as the stacks of threads",
  async () => {
    const code = py`
    import mmap, threading, time
    wait = threading.Event()
    threads = [threading.Thread(target=wait.wait) for _ in range(100)]
    for each in threads: each.start()
    reserved = []
    for _ in range(8):
        time.sleep(0.2)
        reserved.append(mmap.mmap(-1, 500 << 20, flags=mmap.MAP_PRIVATE))
    wait.set()
    print(len(threads), len(reserved))
  `;
    const [result] = await limited({ memoryLimitMb: 300 }, code);
    expect(result.output).toBe("100 8\n");
  },
);

test.skipIf(!isLinux).each(testedPythons())(
  "stacks of hundreds of threads that start at once do not count either, on $version",
  async ({ path }) => {
    const code = py`
    import threading
    wait = threading.Event()
    threads = [threading.Thread(target=wait.wait) for _ in range(800)]
    try:
        for each in threads: each.start()
    finally:
        wait.set()
    print(len(threads))
  `;
    const python = { interpreter: path, crashRetry: "never", checkpoints: "off", memoryLimitMb: 300 } as const;
    await using runtime = await createRuntime({ settings: { python } });
    expect((await runtime.session().run(code).result).output).toBe("800\n");
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

test.skipIf(!isLinux)(
  "memory that forked children share with Python counts once, and what each changes counts again",
  async () => {
    const fork = (change: string): string => py`
    import os, time
    data = bytearray(os.urandom(1 << 20)) * 150
    for _ in range(4):
        if os.fork() == 0:
            ${change}
            time.sleep(1.5)
            os._exit(0)
    for _ in range(4): os.wait()
    print("done")
  `;
    const [within] = await limited({ memoryLimitMb: 400 }, fork("sum(data[::4096])"));
    expect(within.output).toContain("done");
    const [beyond, next] = await limited({ memoryLimitMb: 400 }, fork("data[::4096] = bytes(len(data[::4096]))"));
    expect(JSON.stringify(beyond)).toContain("python.memoryLimitMb allows 400");
    expect(next.output).toContain("2");
  },
);

test.skipIf(!isLinux)("memory that a process gets right after a look at shared memory counts", async () => {
  const code = py`
    import os, sys, time
    data = bytearray(500 << 20)
    there, here = os.pipe()
    for _ in range(10):
        if os.fork() == 0:
            os.close(here)
            os.read(there, 1)
            os._exit(0)
    print("ready", flush=True)
    input()
    more = bytearray(b"x" * (200 << 20))
    print("grown", flush=True)
    input()
  `;
  const python = spawn(newestPython().path, ["-c", code], { stdio: ["pipe", "pipe", "inherit"] });
  const pid = python.pid as number;
  const memory = new SharedMemory(pid);
  const count = async (limitMb: number): Promise<number> => {
    const pids = new Set([pid, ...procChildren(pid)]);
    return memory.megabytes(pids, usageOf(pids).memoryMb, limitMb);
  };
  try {
    await once(python.stdout, "data");
    const before = await count(1000);
    python.stdin.write("\n");
    await once(python.stdout, "data");
    expect((await count(before + 100)) - before).toBeGreaterThan(150);
  } finally {
    python.kill("SIGKILL");
  }
});

test.skipIf(!isLinux)("the number in the reason has memory that processes share once", async () => {
  const code = py`
    import mmap, os, time
    data = bytearray(os.urandom(1 << 20)) * 330
    for _ in range(6):
        if os.fork() == 0:
            time.sleep(600)
    time.sleep(1)
    shared = mmap.mmap(-1, 100 << 20)
    for _ in range(100): shared.write(data[: 1 << 20])
    time.sleep(600)
  `;
  const [result] = await limited({ memoryLimitMb: 400 }, code);
  const used = /used (\d+) MB, and python\.memoryLimitMb allows 400/.exec(JSON.stringify(result))?.[1];
  expect(Number(used)).toBeGreaterThan(400);
  expect(Number(used)).toBeLessThan(600);
});

test.skipIf(!isLinux)("programs that a large Python starts do not count its memory again", async () => {
  const code = py`
    import os, subprocess, time
    data = bytearray(os.urandom(1 << 20)) * 250
    end = time.time() + 3
    while time.time() < end: subprocess.run(["true"])
    print("done")
  `;
  const [within] = await limited({ memoryLimitMb: 400 }, code);
  expect(within.output).toContain("done");
});

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
  "each cell has the CPU time of python.cpuSeconds, also where one begins right after another",
  async () => {
    const python = {
      interpreter: newestPython().path,
      crashRetry: "never",
      checkpoints: "off",
      cpuSeconds: 1,
    } as const;
    await using runtime = await createRuntime({ settings: { python } });
    const session = runtime.session();
    await session.run("import os, time; first = os.getpid()").result;
    const work = "end = time.process_time() + 0.5\nwhile time.process_time() < end: pass";
    // Queued, so that Granary never sees the kernel idle.
    const cells = Array.from({ length: 6 }, () => session.run(work).result);
    for (const { error, ledger } of await Promise.all(cells)) expect([error, ledger.state]).toEqual([null, "alive"]);
    expect((await session.run("os.getpid() == first").result).output).toBe("True\n");
  },
);

describe.skipIf(!isLinux)("processes that a cell leaves running", () => {
  const python = { interpreter: newestPython().path, crashRetry: "never", checkpoints: "off", cpuSeconds: 1 } as const;
  const burn = (seconds: number): string => py`
    import time
    end = time.process_time() + ${seconds}
    while time.process_time() < end: pass
  `;

  test("use the CPU time of that cell, also between cells", async () => {
    await using runtime = await createRuntime({ settings: { python } });
    const session = runtime.session();
    await session.run(py`
      import subprocess, sys
      subprocess.Popen([sys.executable, "-c", "while True: pass"])
    `).result;
    const ended = deferred<string | null>();
    session.shared.watch(({ to, reason }) => to === "dead" && ended.resolve(reason));
    expect(await ended.promise).toBe(
      "An earlier cell, with the processes that it left running, used more than 1 second of CPU time, the limit of python.cpuSeconds, so Python was ended.",
    );
  });

  test("use the CPU time of that cell, also where another one begins right after it", async () => {
    await using runtime = await createRuntime({ settings: { python } });
    const session = runtime.session();
    const starting = session.run(py`
      import subprocess, sys, time
      child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    `);
    const waiting = session.run("time.sleep(600)");
    expect((await starting.result).status).toBe("ok");
    expect((await waiting.result).ledger.reason).toContain("An earlier cell, with the processes that it left running,");
  });

  test("count anew for each later cell, so that a pool can serve many", () => {
    const usage = (pid: number, parent: number, cpuSeconds: number): OwnUsage => ({
      ...{ pid, parent, cpuSeconds, startedAt: pid, childrenSeconds: 0 },
      ...{ memoryMb: 1, isThere: true, mappedMb: 0, hasEnded: false },
    });
    const time = new CpuTime(1);
    time.look([usage(1, 0, 0)], null, true);
    time.look([usage(1, 0, 0)], 1, false);
    for (let cell = 1; cell < 10; cell++) {
      expect(time.look([usage(1, 0, 0), usage(2, 1, cell - 0.5)], cell, false).seconds).toBeLessThan(1.5);
      expect(time.look([usage(1, 0, 0), usage(2, 1, cell + 0.4)], cell, false).seconds).toBeLessThan(1.5);
    }
    expect(time.look([usage(1, 0, 0), usage(2, 1, 12)], 9, true)).toEqual({ seconds: 3.5, cell: 1 });
  });

  test("use none of a later cell, also when Python has waited for them", async () => {
    await using runtime = await createRuntime({ settings: { python } });
    const session = runtime.session();
    await session.run(py`
      import subprocess, sys, time
      child = subprocess.Popen([sys.executable, "-c", "input()\n" + ${JSON.stringify(burn(0.6))}], stdin=subprocess.PIPE)
      time.sleep(0.5)  # until Granary has seen it
    `).result;
    const later = await session.run(
      `child.stdin.write(b"\\n"); child.stdin.close()\n${burn(0.6)}\nchild.wait(); time.sleep(0.5)`,
    ).result;
    expect([later.status, later.ledger.reason]).toEqual(["ok", null]);
  });

  test("give no CPU time back when they end", async () => {
    await using runtime = await createRuntime({ settings: { python } });
    const session = runtime.session();
    await session.run(py`
      import os, time
      there, here = os.pipe()
      back, done = os.pipe()
      if os.fork() == 0:
          if os.fork() == 0:
              end = time.process_time() + 0.8
              while time.process_time() < end: pass
              os.write(done, b"x")
              os.close(here)
              os.read(there, 1)
          os._exit(0)
      os.wait()
      os.read(back, 1)
    `).result;
    const greedy = await session.run(`time.sleep(0.5); os.write(here, b"x"); time.sleep(0.5)\n${burn(1.6)}`).result;
    expect(JSON.stringify(greedy)).toContain("The cell used more than 1 second of CPU time");
  });
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
    const beyond = await session.run("more = bytearray(64 << 30)").result;
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
