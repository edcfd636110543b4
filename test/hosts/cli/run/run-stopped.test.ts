import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { isRunning } from "../../../kernel/processes.ts";
import { py } from "../../../kernel/py.ts";
import { until } from "../../../kernel/until.ts";
import { RunningGranary } from "../granary.ts";

/** The beginning of every cell here, so that a test can see when it runs and when it has ended. */
const sayPid = "import os; print('pid', os.getpid(), flush=True)\n";

async function startCell(code: string, ...args: readonly string[]) {
  const run = new RunningGranary(["run", ...args, "-c", `${sayPid}${code}`]);
  await run.untilOutput("\n");
  return { run, pythonPid: Number(run.stdout.split(" ")[1]) };
}

const busy = py`
  import time
  try:
      time.sleep(60)
  finally:
      print("cleaned up")
`;

const stubborn = py`
  import time
  while True:
      try:
          print("working", flush=True)
          time.sleep(60)
      except KeyboardInterrupt:
          print("no", flush=True)
`;

describe("granary run is stopped", () => {
  test("by Ctrl-C: the cell is interrupted and may clean up", async () => {
    const { run, pythonPid } = await startCell(busy);
    run.process.kill("SIGINT");
    const { stdout, stderr, exitCode } = await run.finished;
    expect(stdout).toContain("cleaned up\n");
    expect(stderr).toMatch(/KeyboardInterrupt\nInterrupted\n$/);
    expect(exitCode).toBe(130);
    expect(isRunning(pythonPid)).toBe(false);
  });

  test("by Ctrl-C: later cells do not run", async () => {
    const { run } = await startCell(busy, "-c", "1");
    run.process.kill("SIGINT");
    const { stderr } = await run.finished;
    expect(stderr).toMatch(/\nCell 2 of 2 failed: Interrupted\n$/);
  });

  test("by a second Ctrl-C: at once, and Python with it", async () => {
    const { run, pythonPid } = await startCell(stubborn);
    await run.untilOutput("working");
    run.process.kill("SIGINT");
    await run.untilOutput("no\n");
    run.process.kill("SIGINT");
    expect((await run.finished).exitCode).toBe(130);
    await until("Python has gone", () => !isRunning(pythonPid));
  });

  test("by Ctrl-C with --json: the document reports it", async () => {
    const run = new RunningGranary(["run", "--json", "-c", "import os; os.kill(os.getppid(), 2)\nwhile True: pass"]);
    const { stdout, exitCode } = await run.finished;
    expect(JSON.parse(stdout)).toMatchObject({ status: "cancelled", cells: [{ status: "cancelled" }] });
    expect(exitCode).toBe(130);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("by %s: cleanly, with exit code %d", async (signal, expected) => {
    const { run, pythonPid } = await startCell(busy);
    run.process.kill(signal);
    const { stdout, exitCode } = await run.finished;
    expect(stdout).toContain("cleaned up\n");
    expect(exitCode).toBe(expected);
    expect(isRunning(pythonPid)).toBe(false);
  });

  test("by SIGKILL: Python does not outlive it", async () => {
    const { run, pythonPid } = await startCell(busy);
    run.process.kill("SIGKILL");
    await until("Python has gone", () => !isRunning(pythonPid));
  });

  test("by a reader that closes the pipe: quietly, and Python with it", async () => {
    const { run, pythonPid } = await startCell("while True: print('more')");
    run.process.stdout?.destroy();
    const { stderr, exitCode } = await run.finished;
    expect(stderr).toBe("");
    expect(exitCode).toBe(141);
    expect(isRunning(pythonPid)).toBe(false);
  });
});

describe("a slow reader", () => {
  test("slows the cell down, and nothing is lost", async () => {
    const code = py`
      import sys
      for number in range(400_000):
          print(number, "x" * 20)
      print("all printed", file=sys.stderr)
    `;
    const { run } = await startCell(code);
    run.process.stdout?.pause();
    await sleep(500);
    expect(run.stderr).toBe("");
    run.process.stdout?.resume();
    const { stdout, exitCode } = await run.finished;
    expect(stdout.split("\n").at(-2)).toBe(`399999 ${"x".repeat(20)}`);
    expect(exitCode).toBe(0);
  });

  test("cannot block the end of the program: a second Ctrl-C does not wait for it", async () => {
    const { run, pythonPid } = await startCell("while True: print('x' * 100)");
    run.process.stdout?.pause();
    run.process.kill("SIGINT");
    await until("the program has ended", () => {
      run.process.kill("SIGINT");
      return run.process.exitCode !== null;
    });
    expect(run.process.exitCode).toBe(130);
    await until("Python has gone", () => !isRunning(pythonPid));
  });
});
