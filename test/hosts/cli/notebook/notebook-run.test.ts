import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseNotebook } from "../../../../src/notebook/parse/parse-notebook.ts";
import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { notebookText } from "../../../execute/notebook-runs.ts";
import { until } from "../../../kernel/until.ts";
import { keys } from "../../../terminal/keys.ts";
import { RunningGranary, testFolder } from "../granary.ts";
import { granaryInTerminal } from "../terminal.ts";
import { folder, notebook, notebookJson } from "./notebook-command.ts";

const main = environment("main");
let last = 0;

function notebookFile(cells: Parameters<typeof notebookText>[0], inFolder = folder): string {
  const file = `run${++last}.ipynb`;
  writeFileSync(join(inFolder, file), notebookText(cells));
  return file;
}

const outputsIn = (path: string): string[] =>
  parseNotebook(readFileSync(path)).cells.map((cell) =>
    cell.outputs.map(({ text, ename }) => String(ename ?? (text as string[]).join(""))).join("|"),
  );

describe("granary notebook run", () => {
  test("reports what it ran, where it is, and how each cell ended", async () => {
    const file = notebookFile(["print(1)", "", "print(2)"]);
    const { stdout, stderr, exitCode } = await notebook(["run", file]);
    expect(stdout).toMatch(new RegExp(`^Ran 2 cells in \\d+\\.\\d s\\. Saved ${file}\\.\\n$`));
    expect(stderr).toMatch(/^cell 0 \(1 of 2\): ok, \d+\.\d s\ncell 2 \(2 of 2\): ok, \d+\.\d s\n$/);
    expect(exitCode).toBe(0);
    expect(outputsIn(join(folder, file))).toEqual(["1\n", "", "2\n"]);
  });

  test("run and verify report that the notebook's kernel is not installed", async () => {
    const kernelspec = { name: "no-such-kernel", display_name: "Mine", language: "python" };
    writeFileSync(join(folder, "named.ipynb"), notebookText(["print(1)"], { kernelspec }));
    const notice =
      /^granary: The notebook names the kernel "no-such-kernel", which is not installed here\. Python 3.* ran it instead\.$/m;
    for (const command of ["run", "verify"]) {
      const { stderr, exitCode } = await notebook([command, "named.ipynb"]);
      expect([exitCode, stderr]).toEqual([0, expect.stringMatching(notice)]);
    }
    const { document } = await notebookJson(["run", "named.ipynb"]);
    expect(document.notices).toEqual([expect.stringContaining("no-such-kernel")]);
  });

  test("reports which environment of the project it could not use", async () => {
    const project = join(folder, "broken-project");
    const python = join(project, ".venv", "bin", "python");
    mkdirSync(join(project, ".venv", "bin"), { recursive: true });
    symlinkSync("/nowhere/python3", python);
    const file = notebookFile(["print(1)"], project);
    const { stderr, exitCode } = await notebook(["run", file], { cwd: project });
    expect(stderr).toMatch(/^granary: skipped \S+\/\.venv\/bin\/python, which .*; using .*\.\ncell 0 /);
    expect(exitCode).toBe(0);
  });

  test("reports a failed cell with its source and exception, and the cells that did not run", async () => {
    const file = notebookFile(["x = 1", "# a comment\nx / 0", "print(2)", "print(3)"]);
    const { stdout, stderr, exitCode } = await notebook(["run", file]);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(
      'Cell 1 (cell-1) failed: ZeroDivisionError: division by zero\n  # a comment\n  x / 0\nTraceback (most recent call last):\n  File "cell 1", line 2',
    );
    expect(stderr).toMatch(new RegExp(`Not run: cells 2 and 3\\.\\nOutputs so far are in ${file}\\.\\n$`));
  });

  test("prints one JSON document for programs", async () => {
    const file = notebookFile(["print(1)", { source: "1 / 0", metadata: { tags: ["raises-exception"] } }]);
    const { document, stderr, exitCode } = await notebookJson(["run", file]);
    expect(document).toMatchObject({
      status: "ok",
      error: null,
      path: join(folder, file),
      failed: null,
      cells: [
        { index: 0, id: "cell-0", status: "ok", executionCount: 1, outputsChanged: true, stored: "stored" },
        { index: 1, status: "error", error: { name: "ZeroDivisionError" } },
      ],
      kernel: { backend: "runner", generation: 1, state: "idle" },
    });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  });

  test("runs in the notebook's folder, on the Python of the project above it", async () => {
    const project = join(folder, "project");
    mkdirSync(join(project, "notebooks"), { recursive: true });
    mkdirSync(join(project, ".venv/bin"), { recursive: true });
    symlinkSync(oldestPython().path, join(project, ".venv/bin/python"));
    const cell = "import os, platform\nprint(os.path.basename(os.getcwd()), platform.python_version())";
    const file = notebookFile([cell], join(project, "notebooks"));
    await notebook(["run", `notebooks/${file}`], { cwd: project });
    expect(outputsIn(join(project, "notebooks", file))).toEqual([`notebooks ${oldestPython().version}\n`]);
    await notebook(["run", file, "--cwd", "..", "--python", newestPython().path], { cwd: join(project, "notebooks") });
    expect(outputsIn(join(project, "notebooks", file))).toEqual([`project ${newestPython().version}\n`]);
  });

  test("takes parameters and an output file", async () => {
    const file = notebookFile([{ source: "n = 1", metadata: { tags: ["parameters"] } }, "print(n, repr(name), flags)"]);
    const before = readFileSync(join(folder, file), "utf8");
    const parameters = ["-p", "n=0.5", "-p", "name=007", "-p", 'flags=[true, {"a": null}]'];
    const { exitCode } = await notebook(["run", file, ...parameters, "--out", "out.ipynb"]);
    expect(exitCode).toBe(0);
    expect(outputsIn(join(folder, "out.ipynb"))).toEqual(["", "", "0.5 7 [True, {'a': None}]\n"]);
    expect(readFileSync(join(folder, file), "utf8")).toBe(before);
  });

  test("keeps numbers as written, of any length, even in lists and objects", async () => {
    const file = notebookFile(["print(a, b, f, d, o, s)"]);
    const values = {
      a: "1.0",
      b: "12345678901234567890",
      f: "1e5",
      d: "[12345678901234567890, 1.0, -2]",
      o: '{"x": 0.10, "__proto__": [null]}',
      s: '["1.0", NaN]',
    };
    await notebook(["run", file, ...Object.entries(values).flatMap(([name, value]) => ["-p", `${name}=${value}`])]);
    expect(JSON.parse(readFileSync(join(folder, file), "utf8")).cells[0].source.join("")).toBe(
      [
        "# Parameters",
        "a = 1.0",
        "b = 12345678901234567890",
        "f = 1e5",
        "d = [12345678901234567890, 1.0, -2]",
        'o = {"x": 0.10, "__proto__": [None]}',
        "s = [\"1.0\", float('nan')]",
      ].join("\n"),
    );
    expect(outputsIn(join(folder, file))[1]).toBe(
      "1.0 12345678901234567890 100000.0 [12345678901234567890, 1.0, -2] " +
        "{'x': 0.1, '__proto__': [None]} ['1.0', nan]\n",
    );
  });

  test("reports that no cell ran, and why, when it saved nothing", async () => {
    const file = notebookFile(["print(1)", { source: "print(2)", metadata: { tags: ["skip-execution"] } }]);
    const { stdout, exitCode } = await notebook(["run", file, "--cells", "1"]);
    expect(stdout).toBe("No cell was run. Cell 1 was left out: it has the tag skip-execution.\n");
    expect(exitCode).toBe(0);
    const { stdout: copied } = await notebook(["run", file, "--cells", "1", "--out", "skipped.ipynb"]);
    expect(copied).toMatch(/^No cell was run\. .* Saved skipped\.ipynb\.\n$/);
  });

  test("stops a cell at its timeout, with the timeout's exit code", async () => {
    const file = notebookFile(["import time\ntime.sleep(60)"]);
    const { stderr, exitCode } = await notebook(["run", file, "--timeout", "0.3"]);
    expect(stderr).toContain("Cell 0 (cell-0) timed out after 0.3 seconds.");
    expect(exitCode).toBe(124);
  });

  test("reports when there is nothing to resume", async () => {
    const file = notebookFile(["print(1)"]);
    const { stderr, exitCode } = await notebook(["run", file, "--session", "new", "--resume"]);
    expect(stderr).toMatch(/granary: There is nothing to resume: .* The notebook is run from the start\.\n/);
    expect(exitCode).toBe(0);
  });
});

test.each([
  [["--resume"], "--resume continues in a session: name the one of the last run with --session NAME."],
  [["--from", "2", "--cells", "0,1"], "No cell is left to run: all chosen cells are before cell 2."],
  [["-o", "."], `${folder} cannot be written: it is a folder, not a file. Nothing was changed.`],
])("granary notebook run %j is wrong usage", async (args, sentence) => {
  const file = notebookFile(["print(1)", "print(2)", "print(3)"]);
  const { stdout, stderr, exitCode } = await notebook(["run", file, ...args]);
  expect([stdout, stderr, exitCode]).toEqual(["", `granary: ${sentence}\n`, 2]);
});

describe("granary notebook verify", () => {
  test("accepts a notebook whose outputs are reproducible, and does not change it", async () => {
    const file = notebookFile(["import random\nobject()", "print('same')"]);
    await notebook(["run", file]);
    const before = readFileSync(join(folder, file), "utf8");
    const { stdout, exitCode } = await notebook(["verify", file]);
    expect({ stdout, exitCode }).toEqual({ stdout: "2 cells ran and show what the notebook shows.\n", exitCode: 0 });
    expect(readFileSync(join(folder, file), "utf8")).toBe(before);
  });

  test("continues after a cell that fails as stored, and only then", async () => {
    const file = notebookFile(["1 / 0", "print('after')", "int('x')", "print('end')"]);
    await notebook(["run", file, "--allow-errors"]);
    expect(await notebook(["verify", file])).toMatchObject({
      stdout: "4 cells ran and show what the notebook shows.\n",
      exitCode: 0,
    });
    await notebook(["replace", file, "1", "--old", "print('after')", "--new", "undefined"]);
    const { stderr, exitCode } = await notebook(["verify", file]);
    expect(stderr).toMatch(/^Cell 1 \(cell-1\) failed: NameError: .*Not run: cells 2 and 3\.\n$/s);
    expect(exitCode).toBe(1);
  });

  test.skipIf("missing" in main)("accepts what ipykernel has stored for warnings and failures of cells", async () => {
    const { python } = main as { python: string };
    const file = notebookFile(["import warnings\nwarnings.warn('mind')", "1 +", "%%bash\nexit 3", "%%time\n5"]);
    await notebook(["run", file, "--backend", "zmq", "--python", python, "--allow-errors"]);
    expect(readFileSync(join(folder, file), "utf8")).toContain("/ipykernel_");
    expect((await notebook(["verify", file, "--python", python])).stdout).toBe(
      "4 cells ran and show what the notebook shows.\n",
    );
  });

  test("shows the first line that differs, and the check knows what was edited", async () => {
    const file = notebookFile(["print('a')\nprint('b')", "print('same')"]);
    await notebook(["run", file]);
    expect((await notebook(["check", file])).stdout).toBe(`${file} was run from top to bottom.\n`);
    await notebook(["replace", file, "0", "--old", "'b'", "--new", "'c'"]);
    expect((await notebook(["check", file])).stdout).toMatch(/^Cell 0 was edited after it was run/);
    const { stdout, exitCode } = await notebook(["verify", file]);
    expect(stdout).toBe(
      'Cell 0 (cell-0) shows something else:\n  was "b"\n  is  "c"\n1 of 2 cells shows something else.\n',
    );
    expect(exitCode).toBe(1);
  });
});

describe("granary notebook verify leaves out", () => {
  const random = "import random\nprint('seed', random.random())";

  test("what --ignore matches", async () => {
    const file = notebookFile([random]);
    await notebook(["run", file]);
    expect((await notebook(["verify", file])).exitCode).toBe(1);
    expect((await notebook(["verify", file, "--ignore", "seed [\\d.e-]+"])).exitCode).toBe(0);
    expect(await notebook(["verify", file, "--ignore", "("])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--ignore is no regular expression"),
    });
  });

  test("the outputs of cells marked so, and cells marked as not to run", async () => {
    const metadata = { granary: { verify: { ignore: ["seed [\\d.e-]+"] } } };
    const file = notebookFile([
      { cell_type: "code", source: random, metadata: { tags: ["nbval-ignore-output"] } },
      `# NBVAL_IGNORE_OUTPUT\n${random}`,
      { cell_type: "code", source: random, metadata },
      { cell_type: "code", source: "open('verified.txt', 'a').write('x');", metadata: { tags: ["nbval-skip"] } },
    ]);
    await notebook(["run", file]);
    const { document, exitCode } = await notebookJson(["verify", file]);
    expect(document.cells.map(({ status }: { status: string }) => status)).toEqual(["ok", "ok", "ok", "skipped"]);
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder, "verified.txt"), "utf8")).toBe("x");
  });
});

describe("granary notebook show", () => {
  test("prints sources and outputs, pictures as paths", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const picture = `import base64\nfrom IPython.display import Image\nImage(base64.b64decode("${png}"))`;
    const file = notebookFile([{ cell_type: "markdown", source: "# Title" }, "print('\\x1b[31mred\\x1b[0m')", picture]);
    await notebook(["run", file]);
    const { stdout } = await notebook(["show", file]);
    expect(stdout).toContain("# cell 0: markdown cell-0\n# Title\n\n");
    expect(stdout).toContain("# cell 1: code [1] cell-1\nprint('\\x1b[31mred\\x1b[0m')\n  | red\n\n");
    expect(stdout).toMatch(/ {2}\| \[image\/png 1x1 → .*\.png\]\n/);
    const { document } = await notebookJson(["show", file, "--cells", "1"]);
    expect(document.cells).toMatchObject([{ index: 1, executionCount: 1, outputs: ["red\n"] }]);
  });
});

describe("a run in a separate process", () => {
  test("killed in the middle leaves a valid notebook with the outputs of the cells that had ended", async () => {
    const path = join(testFolder, notebookFile(["print(1)", "print(2)", "import time\ntime.sleep(60)"], testFolder));
    const running = new RunningGranary(["notebook", "run", path]);
    await until("two cells are saved", () => outputsIn(path).join() === "1\n,2\n,");
    running.process.kill("SIGKILL");
    await running.finished;
    expect(outputsIn(path)).toEqual(["1\n", "2\n", ""]);
  });

  test("in a terminal updates one line; Ctrl-C saves the outputs so far", async () => {
    const cell = "import time\nprint('half way', flush=True)\ntime.sleep(60)";
    const path = join(testFolder, notebookFile(["print(1)", cell, "print(3)"], testFolder));
    const { screen, exitCode } = await granaryInTerminal(
      ["notebook", "run", path],
      [{ after: "s half way", type: keys.ctrl("c") }],
    );
    const lines = screen.split("\r\u001b[K");
    expect(lines).toContainEqual(expect.stringMatching(/^cell 1 \(2 of 3\) \d+\.\d s half way(\^C)?$/));
    expect(lines.at(-1)).toMatch(/^Cell 1 \(cell-1\) was interrupted\.\n/);
    expect(screen).toMatch(/Not run: cell 2\.\n/);
    expect(exitCode).toBe(130);
    expect(outputsIn(path)).toEqual(["1\n", "half way\n|KeyboardInterrupt", ""]);
  });
});
