import { describe, expect, test } from "vitest";
import { newestPython } from "../../../environment/pythons.ts";
import { py } from "../../../kernel/py.ts";
import { granary, granaryJson } from "../granary.ts";

describe("granary run --json", () => {
  test("prints one document with everything about the run", async () => {
    const { document, stdout, stderr, exitCode } = await granaryJson(["run", "-c", "print('a'); 6*7"]);
    expect(document).toEqual({
      status: "ok",
      error: null,
      cells: [
        {
          status: "ok",
          output: "a\n42\n",
          displays: [{ type: "result", data: { "text/plain": "42" }, metadata: {}, pictures: [], leftOut: [] }],
          error: null,
          executionCount: 1,
          durationMs: expect.any(Number),
          stdinRequested: false,
          truncation: null,
          ledger: { generation: 1, state: "alive", reason: null },
          notices: [],
        },
      ],
      background: "",
      exitStatus: null,
      unfinishedThreads: [],
      kernel: {
        backend: "runner",
        python: newestPython().version,
        executable: expect.stringContaining("python"),
        generation: 1,
        state: "idle",
      },
    });
    expect(stdout.endsWith("}\n")).toBe(true);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  test("has all text in order", async () => {
    const code = py`
      import sys
      print("out")
      print("err", file=sys.stderr)
      display("shown")
      print("open line", end="")
      1/0
    `;
    const { document } = await granaryJson(["run", "-c", code]);
    expect(document.cells[0]?.output).toMatch(
      /^out\nerr\n'shown'\nopen line\nTraceback (.|\n)*ZeroDivisionError: division by zero\n$/,
    );
  });

  test("loses nothing of a long message: the rest is in the artifact, and the error in brief", async () => {
    const { document, stdout } = await granaryJson(["run", "-c", "raise ValueError('begin ' + 'x' * 200000 + ' end')"]);
    const { output, error, truncation } = document.cells[0] ?? {};
    expect(output).toMatch(/ValueError: begin x+\[… [\d,]+ bytes of this line left out …\]x+ end/);
    expect(error?.message).toMatch(/^begin x+\[… 196,010 characters left out …\]x+ end$/);
    expect(stdout.length).toBeLessThan(50_000);
    const { stdout: all } = await granary(["artifact", String(truncation?.artifact)]);
    expect(all).toMatch(/ValueError: begin x{200000} end\n$/);
  });

  test.each(["sys.exit()", "sys.exit(0)", "exit()"])("nothing runs after %s", async (leave) => {
    const { exitCode, document } = await granaryJson(["run", "-c", `import sys; ${leave}`, "-c", "print(2)"]);
    expect(exitCode).toBe(0);
    expect(document.cells.map(({ status }) => status)).toEqual(["ok", "skipped"]);
  });

  test("reports the failed cell, and which cells did not run", async () => {
    const { document, stderr, exitCode } = await granaryJson(["run", "-c", "1", "-c", "1/0", "-c", "3"]);
    expect(document.status).toBe("error");
    expect(document.cells.map(({ status }) => status)).toEqual(["ok", "error", "skipped"]);
    expect(document.cells[1]?.error).toEqual({
      name: "ZeroDivisionError",
      message: "division by zero",
      traceback: expect.arrayContaining(["    1/0", "ZeroDivisionError: division by zero"]),
    });
    // Every cell reports the state of the variables, including one that did not run.
    expect(document.cells[2]?.ledger).toEqual({ generation: 1, state: "alive", reason: null });
    expect(stderr).toBe("Cell 2 of 3 failed: ZeroDivisionError: division by zero\n");
    expect(exitCode).toBe(1);
  });

  test("reports a timeout", async () => {
    const { document, exitCode } = await granaryJson(["run", "--timeout", "0.3", "-c", "import time; time.sleep(60)"]);
    expect(document).toMatchObject({ status: "timeout", cells: [{ status: "timeout" }], kernel: { state: "idle" } });
    expect(exitCode).toBe(124);
  });

  test("reports a crash of the kernel", async () => {
    const code = "import os; print('last words', flush=True); os._exit(7)";
    const { document, exitCode } = await granaryJson(["run", "-c", code, "-c", "2"]);
    expect(document).toMatchObject({
      status: "failed",
      error: { code: "kernel-died", message: expect.stringContaining("7") },
      cells: [
        { status: "failed", output: "last words\n", ledger: { state: "lost" } },
        { status: "skipped", ledger: { generation: 1, state: "lost", reason: expect.stringContaining("7") } },
      ],
      kernel: { state: "dead" },
    });
    expect(exitCode).toBe(3);
  });

  test("reports that input was asked for", async () => {
    const { document, exitCode } = await granaryJson(["run", "-c", "x = input('Name: ')"]);
    expect(document.cells[0]).toMatchObject({
      status: "error",
      stdinRequested: true,
      error: { name: "InputNotAvailable" },
      output: expect.stringContaining("no user is there to answer it"),
    });
    expect(exitCode).toBe(1);
  });

  test("an updated display has its last content, even when a later cell updates it", async () => {
    const { document } = await granaryJson([
      "run",
      "-c",
      "handle = display('first', display_id=True); display('other')",
      "-c",
      "handle.update('last')",
    ]);
    // A cell's text is as it was at the cell's end; its displays are current.
    expect(document.cells.map(({ output }) => output)).toEqual(["'first'\n'other'\n", "'last'\n"]);
    expect(document.cells[0]?.displays.map(({ data }) => data["text/plain"])).toEqual(["'last'", "'other'"]);
  });

  test("output that is too long for a model is cut, and all of it is an artifact", async () => {
    const { document } = await granaryJson(["run", "--session", "long", "-c", "for i in range(20000): print(i)"]);
    const cell = document.cells[0];
    expect(cell?.truncation).toMatchObject({ totalLines: 20_000, totalBytes: 108_890, problem: null });
    expect(cell?.output).toContain(`lines like "10"; all of it: ${cell?.truncation?.artifact} …`);
    const { stdout } = await granary(["artifact", cell?.truncation?.artifact ?? "none"]);
    expect(stdout).toBe(Array.from({ length: 20_000 }, (_, index) => `${index}\n`).join(""));
  });

  test("a very long value of a display is left out and named", async () => {
    const { document } = await granaryJson(["run", "-c", "display({'text/html': 'x' * 300_000}, raw=True)"]);
    expect(document.cells[0]?.displays).toMatchObject([{ data: {}, leftOut: ["text/html"] }]);
  });

  test("cleared output is not reported", async () => {
    const code = py`
      from IPython.display import clear_output
      print("old")
      clear_output(wait=True)
      print("new")
    `;
    const { document } = await granaryJson(["run", "-c", code]);
    expect(document.cells[0]?.output).toBe("new\n");
  });

  test("output between cells is separate", async () => {
    const code = py`
      import threading, time
      threading.Thread(target=lambda: (time.sleep(0.2), print("late"))).start()
    `;
    const { document } = await granaryJson(["run", "-c", code]);
    expect(document).toMatchObject({ cells: [{ output: "" }], background: "late\n" });
  });

  test("output between cells is plain text, like that of cells", async () => {
    const code = py`
      import threading, time
      late = lambda: (time.sleep(0.2), print("\x1b[31mlate\x1b[0m 10%\r\x1b[Klate 100%\x1b]0;title\x07"))
      threading.Thread(target=late).start()
    `;
    const { document } = await granaryJson(["run", "-c", code]);
    expect(document.background).toBe("late 100%\n");
  });

  test("prints a document even when nothing could run", async () => {
    const usage = { status: "failed", cells: [], kernel: null, error: { code: "usage" } };
    const badOption = await granaryJson(["run", "--tiemout", "3", "-c", "1"]);
    expect(badOption.document).toMatchObject(usage);
    expect(badOption.exitCode).toBe(2);
    const badFolder = await granaryJson(["run", "--cwd", "nowhere", "-c", "1"]);
    expect(badFolder.document).toMatchObject(usage);
    expect(badFolder.exitCode).toBe(2);
    const noPython = await granaryJson(["run", "-c", "1"], { env: { PATH: "/nowhere" } });
    expect(noPython.document).toMatchObject({ status: "failed", error: { code: "no-python" }, kernel: null });
    expect(noPython.exitCode).toBe(3);
  });

  test("no output of the code corrupts the document", async () => {
    const code = py`
      import os, subprocess, sys
      os.write(1, b"raw\n")
      sys.__stdout__.write("original\n")
      subprocess.run(["echo", "child"]);
    `;
    const { stdout } = await granary(["run", "--json", "-c", code]);
    const { output } = JSON.parse(stdout).cells[0];
    expect(output.split("\n").sort()).toEqual(["", "child", "original", "raw"]);
  });
});
