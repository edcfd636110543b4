import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { isRunning } from "../../kernel/processes.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "../runtimes.ts";

const folder = temporaryFolder();
const withCheckpoints = (): Promise<Runtime> => runtimeIn(folder, { checkpoints: "auto", crashRetry: "once" });

describe("a cell that ends Python", () => {
  test("loses nothing: the result says what died, and variables are as they were before the cell", async () => {
    await using granary = await withCheckpoints();
    const session = granary.session();
    await session.run("x = [1]\nimport os, random\nrandom.seed(3)").result;
    const { status, failure, ledger, notices, attempts, output } = await session.run(py`
      x.append(2)
      with open("ran.txt", "a") as file: print("once", file=file)
      print("before the crash")
      os.abort()
    `).result;
    expect({ status, attempts, output }).toEqual({ status: "failed", attempts: 1, output: "before the crash\n" });
    expect(failure?.code).toBe("kernel-died");
    expect(failure?.message).toMatch(/^Python crashed \(SIGABRT, at File "<cell 2>"/);
    expect(ledger).toEqual({ generation: 2, state: "restored", restoredTo: 1, reason: failure?.message });
    expect(notices).toEqual(["Variables are as they were after cell 1. Files on disk stay as they are."]);
    const next = await session.run("print(x, random.random())").result;
    expect(next.executionCount).toBe(2);
    expect(next.output).toBe("[1] 0.23796462709189137\n");
    expect(next.ledger).toEqual({ generation: 2, state: "alive", reason: null });
    expect(readFileSync(join(folder, "ran.txt"), "utf8")).toBe("once\n");
  });

  test("may do so again and again: the same checkpoint takes over every time", async () => {
    await using granary = await withCheckpoints();
    const session = granary.session();
    await session.run("x = 1; import os, signal").result;
    for (const end of ["os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)", "os.kill(os.getpid(), signal.SIGSEGV)"]) {
      const { ledger, failure } = await session.run(`x += 1\n${end}`).result;
      expect({ state: ledger.state, to: ledger.restoredTo, code: failure?.code }).toEqual({
        state: "restored",
        to: 1,
        code: "kernel-died",
      });
    }
    expect((await session.run("x").result).output).toBe("1\n");
  });

  test("right after the fork: a copy that comes late, as on a busy machine, is waited for", async () => {
    await using granary = await withCheckpoints();
    const session = granary.session();
    await session.run("x = 1; import os, time; os.register_at_fork(after_in_child=lambda: time.sleep(1.5))").result;
    expect((await session.run("x = 2; os.abort()").result).ledger).toMatchObject({ state: "restored", restoredTo: 1 });
    expect((await session.run("x").result).output).toBe("1\n");
  });

  test("between cells: the next cell finds the newest state that there is, and says which", async () => {
    await using granary = await withCheckpoints();
    const session = granary.session();
    await session.run("x = 1; import os").result;
    await session.run("x = 2").result;
    const { pid } = session.shared.info ?? {};
    process.kill(pid ?? 0, "SIGKILL");
    await until("the kernel is dead", () => session.shared.life === "dead");
    const { output, ledger, notices } = await session.run("x").result;
    expect(output).toBe("1\n");
    expect(ledger.state).toBe("restored");
    expect(notices[0]).toMatch(/^Python was killed \(SIGKILL\).* Variables are as they were after cell 1\./);
  });

  test("in the first cell: there was nothing to lose, and the next cell gets a fresh kernel", async () => {
    await using granary = await withCheckpoints();
    const session = granary.session();
    const { ledger } = await session.run("import os; os.abort()").result;
    expect(ledger.state).toBe("lost");
  });

  test("leaves no process behind when the session is closed", async () => {
    const granary = await withCheckpoints();
    const session = granary.session();
    for (const code of ["import os", "x = 1", "os.abort()", "x = 2"]) await session.run(code).result;
    const pids = session.checkpoints().map(({ pid }) => pid);
    expect(pids.length).toBeGreaterThan(1);
    await granary.close();
    for (const pid of pids) await until("the copy is gone", () => !isRunning(pid));
  });
});
