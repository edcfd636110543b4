import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { Session } from "../../src/session/session.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import { isStopped } from "../../src/support/process/process-state.ts";
import { ipykernelBackends, isLong } from "../environment/variants.ts";
import { describeWithJupyter } from "../kernel/gateway/jupyter-python.ts";
import { isRunning } from "../kernel/processes.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { environmentIn, runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();
afterAll(() => stopSharedGateways(environmentIn(folder).GRANARY_HOME as string));

let files = 0;
const newFile = (): string => join(folder, `seen-${++files}`);
const touch = (file: string): string => `open(${JSON.stringify(file)}, "a").write("x")`;
const touches = (file: string): number => (existsSync(file) ? readFileSync(file).byteLength : 0);

/** A cell that ends; a thread of it then runs C code that holds Python's interpreter lock. */
const holdTheLock = (milliseconds: number, file: string): string => py`
  import ctypes, threading
  def hold():
      ${touch(file)}
      ctypes.PyDLL(None).usleep(${milliseconds}_000)
  threading.Timer(0.2, hold).start()
  x = 42
`;

/** A signal takes effect a moment after it was sent. */
async function stop(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await until("it is stopped", () => isStopped(pid));
}

const pidOf = (session: Session): number => session.shared.kernel?.info.pid as number;

type Backend = "runner" | "zmq" | "gateway";
type Open = (choices?: SettingsOverrides["python"]) => Promise<Runtime>;

describe("on the embedded runner", () => stories("runner", {}));
describeWithJupyter("on Jupyter's kernels", (interpreter) => {
  for (const backend of ipykernelBackends)
    describe(`of the backend ${backend}`, () => stories(backend, { interpreter }));
});

function stories(backend: Backend, python: SettingsOverrides["python"]): void {
  const open: Open = (choices) =>
    runtimeIn(folder, { backend, crashRetry: "never", startSeconds: 60, ...python, ...choices });
  describe("a kernel that cannot begin a cell", () => storiesOfTheBeginning(backend, open));
  if (backend !== "gateway") {
    describe("a kernel that cannot begin a cell at once", () => storiesOfBlockedPythons(backend, open));
  }
  describe("a cell that runs", () => storiesOfTheMiddle(open));
}

/** Costs two starts of ipykernel, and the session does the same for every backend: the runner shows it in `npm test`. */
const isRepeated = (backend: Backend): boolean => backend !== "runner" && !isLong;

function storiesOfTheBeginning(backend: Backend, open: Open): void {
  test("because its process is stopped: the call times out and says so, and the next has a fresh kernel", async () => {
    await using granary = await open({ interruptGraceSeconds: 0.3 });
    const session = granary.session("stopped");
    await session.run("x = 42").result;
    const pid = pidOf(session);
    await stop(pid);
    const result = await session.run("x", { timeoutMs: 300 }).result;
    expect(result).toMatchObject({ status: "timeout", ledger: { state: "lost" } });
    expect(result.output).toContain("Command timed out after 0.3 seconds");
    expect(result.ledger.reason).toContain(`process ${pid} `);
    expect(result.ledger.reason).toContain("SIGSTOP");
    expect(isRunning(pid)).toBe(false);
    const next = await session.run("'x' in globals()", { timeoutMs: 60_000 }).result;
    expect(next).toMatchObject({ status: "ok", output: "False\n", ledger: { generation: 2 } });
  });

  test.skipIf(isRepeated(backend))(
    "because an earlier cell's thread holds the interpreter lock for good: the call times out, and the cell never runs",
    async () => {
      await using granary = await open({ interruptGraceSeconds: 0.3 });
      const session = granary.session("locked");
      const [held, ran] = [newFile(), newFile()];
      await session.run(holdTheLock(600_000, held)).result;
      const pid = pidOf(session);
      await until("the lock is held", () => touches(held) > 0);
      const result = await session.run(touch(ran), { timeoutMs: 300 }).result;
      expect(result).toMatchObject({ status: "timeout", ledger: { state: "lost" } });
      expect({ runs: touches(ran), isLeft: isRunning(pid) }).toEqual({ runs: 0, isLeft: false });
      expect(await session.run("6 * 7").result).toMatchObject({ status: "ok", output: "42\n" });
    },
  );

  test("and has no timeout: a stopped process is found by the heartbeat, and the result names it", async () => {
    await using granary = await open({ heartbeatSeconds: 0.1 });
    const session = granary.session("no-timeout");
    const ran = newFile();
    await session.run("x = 42").result;
    const pid = pidOf(session);
    await stop(pid);
    const result = await session.run(touch(ran)).result;
    expect(isRunning(pid)).toBe(false);
    const reason = result.failure?.message ?? result.ledger.reason;
    expect(reason).toContain(`process ${pid} `);
    expect(reason).toContain("SIGSTOP");
    // Only the runner knows for certain that the cell had not begun, and that it may be sent again.
    const isCertain = backend === "runner";
    expect({ status: result.status, attempts: result.attempts, runs: touches(ran) }).toEqual(
      isCertain ? { status: "ok", attempts: 1, runs: 1 } : { status: "failed", attempts: 1, runs: 0 },
    );
    expect(await session.run("6 * 7").result).toMatchObject({ status: "ok", output: "42\n" });
  });

  test("and has no timeout: the wait is reported, and the cell runs once when Python is free", async () => {
    await using granary = await open({ heartbeatSeconds: 0.1 });
    const session = granary.session("waits");
    const [held, ran] = [newFile(), newFile()];
    await session.run(holdTheLock(3000, held)).result;
    await until("the lock is held", () => touches(held) > 0);
    const execution = session.run(`${touch(ran)}; x`);
    const waits = (): boolean => execution.poll().some(({ event }) => event.type === "waiting");
    await until("the wait is reported", waits);
    const result = await execution.result;
    expect(result).toMatchObject({ status: "ok", output: "42\n", ledger: { generation: 1, state: "alive" } });
    expect(touches(ran)).toBe(1);
    const order = execution.poll().map(({ event }) => event.type);
    expect(order.slice(order.indexOf("waiting"))).toEqual(["waiting", "running", "block", "over"]);
  });
}

/** The gateway's kernels are ipykernel's, as those of ZeroMQ are: nothing here depends on the way to them. */
function storiesOfBlockedPythons(backend: Backend, open: Open): void {
  test("because the interpreter lock is held for a while: the call times out, and variables stay", async () => {
    await using granary = await open({ interruptGraceSeconds: 30 });
    const session = granary.session("for-a-while");
    const held = newFile();
    await session.run(holdTheLock(1500, held)).result;
    await until("the lock is held", () => touches(held) > 0);
    const result = await session.run("import time; time.sleep(600)", { timeoutMs: 200 }).result;
    expect(result.status).toBe("timeout");
    expect(await session.run("x").result).toMatchObject({ output: "42\n", ledger: { generation: 1, state: "alive" } });
  });

  test.skipIf(isRepeated(backend))(
    "because a signal handler blocks it: the call times out, and the next has a kernel",
    async () => {
      await using granary = await open({ interruptGraceSeconds: 0.5 });
      const session = granary.session("handler");
      const [blocked, ran] = [newFile(), newFile()];
      const cell = py`
      import signal, time
      def block(*_):
          ${touch(blocked)}
          while True:
              try:
                  time.sleep(600)
              except BaseException:
                  pass
      signal.signal(signal.SIGALRM, block)
      signal.setitimer(signal.ITIMER_REAL, 0.3);
    `;
      await session.run(cell).result;
      await until("the handler blocks", () => touches(blocked) > 0);
      expect(await session.run(touch(ran), { timeoutMs: 300 }).result).toMatchObject({ status: "timeout" });
      expect(touches(ran)).toBe(0);
      expect(await session.run("6 * 7", { timeoutMs: 60_000 }).result).toMatchObject({ status: "ok", output: "42\n" });
    },
  );
}

function storiesOfTheMiddle(open: Open): void {
  test("is never given up while C code holds the interpreter lock, for many heartbeats", async () => {
    await using granary = await open({ heartbeatSeconds: 0.1 });
    const ran = newFile();
    const cell = `import ctypes; ${touch(ran)}; ctypes.PyDLL(None).usleep(1_500_000); 6 * 7`;
    const result = await granary.session("busy").run(cell).result;
    expect(result).toMatchObject({ status: "ok", output: "42\n", attempts: 1, ledger: { generation: 1 } });
    expect(touches(ran)).toBe(1);
  });

  test("is reported with the true reason when its process is stopped, and does not run twice", async () => {
    await using granary = await open({ heartbeatSeconds: 0.1 });
    const session = granary.session("stopped-midway");
    const ran = newFile();
    const running = session.run(`import time; ${touch(ran)}; time.sleep(600)`);
    await until("it runs", () => touches(ran) > 0);
    const pid = pidOf(session);
    await stop(pid);
    const { status, failure, ledger } = await running.result;
    expect({ status, code: failure?.code, state: ledger.state }).toEqual({
      status: "failed",
      code: "kernel-died",
      state: "lost",
    });
    expect(failure?.message).toMatch(new RegExp(`process ${pid} .*SIGSTOP`));
    expect({ runs: touches(ran), isLeft: isRunning(pid) }).toEqual({ runs: 1, isLeft: false });
  });
}
