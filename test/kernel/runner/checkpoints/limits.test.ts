import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { oldestPython } from "../../../environment/pythons.ts";
import { printed, run, runToDeath } from "../../collect.ts";
import { isRunning } from "../../processes.ts";
import { py } from "../../py.ts";
import { until } from "../../until.ts";
import { startRunner, temporaryFolder } from "../start-runner.ts";
import { takeCheckpoint } from "./start-restored.ts";

const { path: python } = oldestPython();

test("a copy holds nothing that its kernel closes: pipes end, ports are free, locks are gone", async () => {
  await using kernel = await startRunner(python, { cwd: temporaryFolder() });
  await run(
    kernel,
    py`
      import fcntl, socket, subprocess
      child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
      server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen(); place = server.getsockname()
      locked = open("lock", "w"); fcntl.flock(locked, fcntl.LOCK_EX)
    `,
  );
  const checkpoint = await takeCheckpoint(kernel);
  const code = py`
    child.stdin.close(); print(child.wait(timeout=20))
    server.close(); again = socket.socket(); again.bind(place); again.close()
    locked.close(); other = open("lock", "w"); fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
  `;
  expect(await printed(kernel, code)).toBe("0\n");
  await using restored = await checkpoint.restore({ isAlone: false, signal: AbortSignal.timeout(20_000) });
  const lost = [...(restored.info.restored?.lost ?? [])].sort().join(", ");
  expect(lost).toMatch(/^a pipe, the child process \d+ \(cat\), the server on 127\.0\.0\.1:\d+$/);
  checkpoint.drop();
});

test.skipIf(process.platform !== "linux")("when memory runs out, the system ends copies before kernels", async () => {
  const score = (pid: number | null): string => readFileSync(`/proc/${pid}/oom_score_adj`, "latin1");
  await using kernel = await startRunner(python);
  const checkpoint = await takeCheckpoint(kernel);
  await using restored = await checkpoint.restore({ isAlone: false, signal: AbortSignal.timeout(20_000) });
  expect(score(checkpoint.pid)).toBe("1000\n");
  expect(score(restored.info.pid)).toBe(score(kernel.info.pid));
  checkpoint.drop();
});

test.skipIf(process.platform !== "linux")(
  "a dropped copy frees its memory, though the kernel made out of it lives, and its end is still reported",
  async () => {
    await using kernel = await startRunner(python);
    await run(kernel, "block = bytearray(b'1') * 80_000_000");
    const checkpoint = await takeCheckpoint(kernel);
    await using restored = await checkpoint.restore({ isAlone: false, signal: AbortSignal.timeout(20_000) });
    const resident = (): number =>
      4096 * Number(readFileSync(`/proc/${checkpoint.pid}/statm`, "latin1").split(" ")[1] ?? 0);
    expect(resident()).toBeGreaterThan(80_000_000);
    checkpoint.drop();
    await until("the memory is free", () => resident() < 40_000_000);
    expect(await printed(restored, "print(len(block))")).toBe("80000000\n");
    await runToDeath(restored, "import os; os.abort()");
    expect((await restored.exited).signal).toBe("SIGABRT");
    await until("nothing waits any more", () => !isRunning(checkpoint.pid));
  },
);

test("os.wait() does not see copies", async () => {
  await using kernel = await startRunner(python);
  const checkpoint = await takeCheckpoint(kernel);
  const code = py`
    import os
    pid = os.fork()
    if pid == 0: os._exit(7)
    found, status = os.wait()
    print(found == pid, os.WEXITSTATUS(status))
    try: os.waitpid(-1, 0)
    except ChildProcessError as error: print(error)
  `;
  expect(await printed(kernel, code)).toBe("True 7\n[Errno 10] No child processes\n");
  checkpoint.drop();
});

test("threads, workers, handlers of SIGCHLD and graphics cards are refused with their names", async () => {
  await using kernel = await startRunner(python);
  const why = async (): Promise<string | null> => {
    const answer = await kernel.checkpoints?.take();
    return answer && "whyNot" in answer ? answer.whyNot : null;
  };
  await run(kernel, "import threading, multiprocessing, time\nstop = threading.Event()");
  await run(kernel, "one = threading.Thread(target=stop.wait, name='one'); one.start()");
  expect(await why()).toBe("the thread one");
  await run(kernel, "two = threading.Thread(target=stop.wait, name='two'); two.start()");
  expect(await why()).toBe("the threads one, two");
  await run(kernel, "stop.set(); one.join(); two.join()");
  expect(await why()).toBe(null);
  const worker =
    "multiprocessing.get_context('fork').Process(target=time.sleep, args=(60,), name='worker', daemon=True)";
  await run(kernel, `w = ${worker}; w.start()`);
  expect(await why()).toBe("the multiprocessing workers worker");
  await run(kernel, "w.terminate(); w.join()");
  expect(await why()).toBe(null);
  await run(kernel, "pool = multiprocessing.get_context('fork').Pool(2)");
  expect(await why()).toMatch(/^the threads /); // those of the pool, which hands out work
  await run(kernel, "pool.terminate(); pool.join(); del pool");
  expect(await why()).toBe(null);
  await run(kernel, "import signal; before = signal.signal(signal.SIGCHLD, lambda *_: None)");
  expect(await why()).toBe("a handler of SIGCHLD");
  await run(kernel, "signal.signal(signal.SIGCHLD, before)");
  expect(await why()).toBe(null);
  // No machine of ours has such a card: the system's answer about open files is an imitation.
  await run(kernel, "import os, sys, types; sys.modules['torch'] = types.ModuleType('torch'); real = os.readlink");
  expect(await why()).toBe(null);
  await run(kernel, "os.readlink = lambda path, **_: '/dev/nvidia0' if path == '/proc/self/fd/0' else real(path, **_)");
  expect(await why()).toBe("a graphics card (torch)");
  await run(kernel, "os.readlink = real");
  expect(await why()).toBe(null);
});

test("a native thread that is just ending is no reason to refuse, nor the threads that answer the host", async () => {
  await using kernel = await startRunner(python);
  await run(kernel, "import ctypes; system = ctypes.CDLL(None); thread = ctypes.c_ulong()");
  for (let round = 0; round < 10; round++) {
    await run(kernel, "_ = system.pthread_create(ctypes.byref(thread), None, system.usleep, 10_000)");
    (await takeCheckpoint(kernel)).drop();
    await kernel.variables?.();
    (await takeCheckpoint(kernel)).drop();
  }
});
