import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CellProgress, runCells } from "../../src/session/run-cells.ts";
import { isRunning } from "../kernel/processes.ts";
import { py } from "../kernel/py.ts";
import { until } from "../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();

describe("a session", () => {
  test("keeps variables from cell to cell, and the ledger says that they live", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session("one");
    await session.run("x = 6").result;
    const { output, status, ledger } = await session.run("x * 7").result;
    expect({ output, status, ledger }).toEqual({
      output: "42\n",
      status: "ok",
      ledger: { generation: 1, state: "alive", reason: null },
    });
  });

  test("has a kernel for each folder, and says so when another folder meant another kernel", async () => {
    await using granary = await runtimeIn(folder);
    mkdirSync(join(folder, "other"), { recursive: true });
    await granary.session("one").run("x = 1").result;
    const { output, notices } = await granary.session("one", { cwd: "other" }).run("'x' in globals()").result;
    expect(output).toBe("False\n");
    expect(notices).toEqual([
      expect.stringMatching(/^The session one has one kernel per folder: .*other.*not available/),
    ]);
    const { notices: later } = await granary.session("one", { cwd: "other" }).run("1").result;
    expect(later).toEqual([]);
  });

  test("starts fresh after a reset", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    await session.run("x = 1").result;
    const { output, ledger } = await session.run("'x' in globals()", { reset: true }).result;
    expect({ output, ledger }).toEqual({
      output: "False\n",
      ledger: { generation: 2, state: "restarted", reason: "A fresh kernel was asked for by granary." },
    });
  });

  test("lists its variables, also while a cell runs, and starts no kernel for that", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    expect(await session.variables()).toEqual({ variables: [], total: 0 });
    expect(session.shared.life).toBe("new");
    const cell = session.run("x = [1, 2]\nprint('ready')\nimport time\ntime.sleep(600)");
    for await (const event of cell) if (event.type === "text") break;
    const { variables } = await session.variables();
    expect(variables).toContainEqual(expect.objectContaining({ name: "x", type: "list", length: 2 }));
    await cell.interrupt();
  });

  test("shows with the next result what was printed between cells, fit to be read", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    const cell = py`
      import threading, os, time
      def late():
          while not os.path.exists("may-print"): time.sleep(0.01)
          print("\x1b[31mlate\x1b[0m", flush=True)
          open("printed", "w").close()
      threading.Thread(target=late).start()
    `;
    const first = await session.run(cell).result;
    expect(first.background).toBe("");
    writeFileSync(join(folder, "may-print"), "");
    await until("the thread has printed", () => existsSync(join(folder, "printed")));
    let background = "";
    await until("it has come", async () => {
      background += (await session.run("1").result).background;
      return background !== "";
    });
    expect(background).toBe("late\n");
  });

  test("that was unused for a while ends its Python, and the next cell reports it", async () => {
    await using granary = await runtimeIn(folder, { idleMinutes: 0.01, sweepSeconds: 0.1 });
    const session = granary.session();
    await session.run("x = 1").result;
    const pid = session.shared.info?.pid as number;
    await until("its Python has ended", () => !isRunning(pid));
    const { ledger } = await session.run("1").result;
    expect(ledger).toEqual({ generation: 2, state: "restarted", reason: "No cell ran for 0.01 minutes." });
  });
});

describe("a cell that crashes its Python", () => {
  test("is tried once more if python.crashRetry is once and there is no checkpoint, and the result says that it ran twice", async () => {
    await using granary = await runtimeIn(folder, { crashRetry: "once", checkpoints: "off" });
    const session = granary.session();
    await session.run("x = 1").result;
    const path = JSON.stringify(join(folder, "tried"));
    const result = await session.run(py`
      import os, signal
      print("x" in globals())
      if not os.path.exists(${path}):
          open(${path}, "w").close()
          os.kill(os.getpid(), signal.SIGKILL)
      print("second time")
    `).result;
    expect(result).toMatchObject({ status: "ok", attempts: 2, ledger: { generation: 2, state: "restarted" } });
    expect(result.output).toMatch(/^True\n.*SIGKILL.*run once more.*\nFalse\nsecond time\n$/s);
  });

  test("twice is given up, and the next cell has a fresh kernel", async () => {
    await using granary = await runtimeIn(folder, { crashRetry: "once" });
    const session = granary.session();
    const died = await session.run("import os; os._exit(3)").result;
    expect(died).toMatchObject({ status: "failed", attempts: 2, failure: { code: "too-many-restarts" } });
    expect(died.failure?.message).toMatch(
      /^Python kernel restarted too many times in this session: .*ended itself with exit code 3/,
    );
    expect(await session.run("1 + 1").result).toMatchObject({ status: "ok", output: "2\n", ledger: { generation: 3 } });
  });

  test("is not repeated, so a line that it appended is there once, and the result says what killed it", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    const path = join(folder, "appended");
    const result = await session.run(py`
      import os
      with open(${JSON.stringify(path)}, "a") as file: file.write("a line\n")
      print("begun")
      os.abort()
    `).result;
    expect(readFileSync(path, "utf8")).toBe("a line\n");
    expect(result).toMatchObject({ status: "failed", attempts: 1, output: "begun\n", ledger: { state: "lost" } });
    expect(result.failure).toMatchObject({ code: "kernel-died", message: expect.stringContaining("SIGABRT") });
    expect(result.failure?.message).not.toContain("too many times");
    expect(await session.run("1 + 1").result).toMatchObject({ status: "ok", ledger: { generation: 2 } });
  });
});

describe("a cell that runs out of time", () => {
  const sleeps = "print('begun', flush=True)\nimport time\ntime.sleep(600)";

  test("is interrupted, keeps what it printed, and the variables are still there", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    await session.run("x = 1").result;
    const result = await session.run(sleeps, { timeoutMs: 300 }).result;
    expect(result).toMatchObject({
      status: "timeout",
      cancelled: true,
      ledger: { generation: 1, state: "interrupted", reason: "The cell ran out of time." },
    });
    expect(result.output).toMatch(/^begun\n.*Command timed out after 0.3 seconds\n$/s);
    expect((await session.run("x").result).output).toBe("1\n");
  });

  test("and does not react to the interrupt is ended with its Python, and the ledger says that everything is gone", async () => {
    await using granary = await runtimeIn(folder, { interruptGraceSeconds: 0.1 });
    const session = granary.session();
    const stubborn = py`
      print("begun", flush=True)
      sum(range(10 ** 13))
    `;
    const result = await session.run(stubborn, { timeoutMs: 300 }).result;
    expect(result).toMatchObject({ status: "timeout", attempts: 1, ledger: { generation: 1, state: "lost" } });
    expect(result.output).toMatch(/^begun\n.*Command timed out after 0.3 seconds\n$/s);
    expect(result.ledger.reason).toContain("did not react to an interrupt for 0.1 s");
    expect((await session.run("1").result).ledger).toMatchObject({ generation: 2, state: "restarted" });
  });
});

describe("several cells of one call", () => {
  const cells = [{ code: "x = 1" }, { code: "1 / 0" }, { code: "x = 3" }];

  test("run in order, up to the first that fails; earlier state stays", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    const { cells: results, failed, message } = await runCells(session, cells);
    expect(results.map(({ status }) => status)).toEqual(["ok", "error", "skipped"]);
    expect(failed).toBe(1);
    expect(message).toBe(
      "Cell 2 of 3 failed: ZeroDivisionError: division by zero. Variables from the cells before it are kept. Cell 3 was not run.",
    );
    expect((await session.run("x").result).output).toBe("1\n");
  });

  test("report the progress of each", async () => {
    await using granary = await runtimeIn(folder);
    const progress: CellProgress[][] = [[], [], []];
    await runCells(granary.session(), cells, { onProgress: (index, step) => progress[index]?.push(step) });
    expect(progress).toEqual([
      ["pending", "running", "complete"],
      ["pending", "running", "error"],
      ["pending", "skipped"],
    ]);
  });

  test("share the time, and may each ask for a reset", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    const { cells: results } = await runCells(session, [
      { code: "x = 1", reset: true },
      { code: "'x' in globals()", reset: true },
    ]);
    expect(results.map(({ output, status }) => [status, output])).toEqual([
      ["ok", ""],
      ["ok", "False\n"],
    ]);
    const sleep = { code: "import time\ntime.sleep(600)" };
    const late = await runCells(session, [{ code: "1" }, sleep, { code: "2" }], { timeoutMs: 300 });
    expect(late.cells.map(({ status }) => status)).toEqual(["ok", "timeout", "skipped"]);
    expect(late.message).toMatch(/^Cell 2 of 3 failed: it ran out of time\. Variables from the cells before/);
  });

  test("are refused before the first is run if one of them is no code", async () => {
    await using granary = await runtimeIn(folder);
    const running = runCells(granary.session(), [{ code: "x = 1" }, undefined as never]);
    await expect(running).rejects.toThrow(/^A cell is a string of code, .*; this is undefined\.$/);
    expect(granary.executions).toEqual([]);
  });

  test("are not interleaved with those of another call", async () => {
    await using granary = await runtimeIn(folder);
    const session = granary.session();
    const call = (name: string) => runCells(session, [{ code: `x = "${name}"` }, { code: "print(x)" }]);
    const results = await Promise.all(["a", "b", "c"].map(call));
    expect(results.map(({ cells: [, second] }) => second?.output)).toEqual(["a\n", "b\n", "c\n"]);
  });
});

describe("in per-call mode", () => {
  test("every call has a kernel of its own, which is gone when the result is there", async () => {
    await using granary = await runtimeIn(folder, { kernelMode: "per-call" });
    const session = granary.session();
    const first = session.run("import os\nx = 1\nprint(os.getpid())");
    const { output, ledger, notices } = await first.result;
    expect(isRunning(Number(output))).toBe(false);
    expect({ ledger, notices }).toEqual({
      ledger: {
        generation: 1,
        state: "lost",
        reason: "Every call has a kernel of its own (python.kernelMode is per-call).",
      },
      notices: [],
    });
    expect(await session.run("'x' in globals()").result).toMatchObject({ output: "False\n", notices: [] });
  });

  test("the cells of one call share theirs, and it is gone also when one failed or was cancelled", async () => {
    await using granary = await runtimeIn(folder, { kernelMode: "per-call" });
    const session = granary.session();
    const { cells } = await runCells(session, [{ code: "x = 1" }, { code: "print(x)" }]);
    expect(cells.map(({ output, ledger }) => [output, ledger.state])).toEqual([
      ["", "alive"],
      ["1\n", "lost"],
    ]);
    const failed = await runCells(session, [{ code: "x = 1" }, { code: "1 / 0" }, { code: "x" }, { code: "x" }]);
    expect(failed.message).toBe("Cell 2 of 4 failed: ZeroDivisionError: division by zero. Cells 3 and 4 were not run.");
    expect(session.shared.kernel).toBeNull();
    const abort = new AbortController();
    const cancelled = runCells(session, [{ code: "x = 1" }, { code: "import time\ntime.sleep(600)" }, { code: "x" }], {
      signal: abort.signal,
      onProgress: (index, progress) => {
        if (index === 1 && progress === "running") abort.abort();
      },
    });
    expect((await cancelled).cells.map(({ status }) => status)).toEqual(["ok", "cancelled", "cancelled"]);
    expect(session.shared.kernel).toBeNull();
  });
});
