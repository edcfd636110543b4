import { describe, expect, test } from "vitest";
import type { CellReport, NotebookRun } from "../../src/execute/notebook/notebook-run.ts";
import { reportOf } from "../../src/execute/notebook/notebook-run.ts";
import type {
  NotebookDetails,
  NotebookEditDetails,
  NotebookLookDetails,
  NotebookRunDetails,
} from "../../src/tools/definition/details.ts";
import { renderResult } from "../../src/view/render-result.ts";
import { expectScreen } from "./golden.ts";
import { bash, call, cell, numberedLines, raised, result, view } from "./samples.ts";

const noColours = view({ colors: 0 });

describe("python and eval", () => {
  const cells = [
    cell({ title: "load", code: 'df = read("sales.csv")', output: "", durationMs: 312 }),
    cell({
      title: "sum",
      code: "df.totl()",
      status: "error",
      executionCount: 2,
      durationMs: 4,
      ...raised("AttributeError: 'Frame' object has no attribute 'totl'", "AttributeError"),
      error: { name: "AttributeError", message: "'Frame' object has no attribute 'totl'" },
    }),
    cell({ title: "plot", code: "df.plot()", status: "skipped", executionCount: null, durationMs: null, output: "" }),
  ];
  const message = "Cell 2 of 3 failed: AttributeError: 'Frame' object has no attribute 'totl'. Cell 3 was not run.";

  test("every cell with its own status, and why the call failed", async () => {
    const details = call(cells, { failed: 1, message });
    await expectScreen("python-result", renderResult("python", result(details, { isError: true }), view()), view());
  });

  test("without colours it has the same text", async () => {
    const details = call(cells, { failed: 1, message });
    await expectScreen(
      "python-result-no-colour",
      renderResult("eval", result(details, { isError: true }), noColours),
      noColours,
    );
  });

  test("a call that continues in the background names its executions", () => {
    const details = call([cell({ status: "running", durationMs: null, executionCount: null, output: "" })], {
      background: true,
    });
    expect(renderResult("python", result(details), noColours).at(-1)).toBe("  Continues in the background: e1.");
  });
});

describe("bash", () => {
  test("shows the command, its output, and how it ended", async () => {
    const details = bash({
      command: 'grep -r "TODO" src | wc -l  # how many',
      output: "12",
      status: "error",
      exitCode: 2,
    });
    await expectScreen("bash-result", renderResult("bash", result(details), view()), view());
  });

  test.each([
    [bash({ status: "timeout", durationMs: 30_000, exitCode: null }), "■ bash · timed out · 30 s"],
    [bash({ status: "cancelled", exitCode: null }), "■ bash · cancelled · 20 ms"],
    [bash({ status: "error", exitCode: null, signal: "SIGSEGV" }), "✗ bash · ended by SIGSEGV · 20 ms"],
    [bash({ status: "running", exitCode: null, durationMs: null }), "▶ bash · running 2.0 s"],
  ])("its head: %#", (details, head) => {
    expect(renderResult("bash", result(details), { ...noColours, now: 1_002_000 })[0]).toBe(head);
  });
});

describe("files", () => {
  test("read shows the beginning, in the language of the file", async () => {
    const text = 'def greet(name: str) -> str:\n    """Says hello."""\n    return f"Hello, {name}!"  # polite\n';
    const details = { path: "src/greet.py", form: "text", text, firstLine: 10, totalLines: 40, truncation: null };
    await expectScreen("read-result", renderResult("read", result(details), view()), view());
  });

  test("read of a notebook shows its cells", () => {
    const text = "# %% [markdown] cell:0\n# Title\n# %% [code] cell:1\nx = 1";
    const details = { path: "a.ipynb", form: "cells", text, firstLine: 1, totalLines: 4, truncation: null };
    const lines = renderResult("read", result(details), view());
    expect(lines[1]).toContain(view().theme.accent("# %% [markdown] cell:0"));
    expect(lines[2]).toContain(view().theme.heading("# Title"));
  });

  test("edit shows the change", async () => {
    const diff =
      "--- a/greet.py\n+++ b/greet.py\n@@ -1,2 +1,2 @@\n def greet():\n-    print('Hi')\n+    print('Hello')\n";
    await expectScreen(
      "edit-result",
      renderResult("edit", result({ path: "greet.py", replacements: 1, diff }), view()),
      view(),
    );
  });

  test("write shows the written text", async () => {
    const text = '{"name": "granary", "private": false, "count": 3}\n';
    const details = { path: "package.json", created: true, bytes: 52, lines: 1, text };
    await expectScreen("write-result", renderResult("write", result(details), view()), view());
  });
});

describe("notebook", () => {
  const edit: NotebookEditDetails = {
    action: "insert",
    path: "analysis.ipynb",
    cellIndex: 3,
    cellType: "code",
    cellId: "a1b2",
    totalCells: 12,
    cellSource: "import pandas as pd\n\ndf = pd.read_csv('sales.csv')",
    changed: true,
    outputsAreStale: false,
  };

  test("a look at one names it above its text", () => {
    const look: NotebookLookDetails = { action: "check", path: "analysis.ipynb", totalCells: 12, findings: 1 };
    const shown = result(look, { text: "Cell 3 was never run." });
    expect(renderResult("notebook", shown, noColours)).toEqual([
      "✓ analysis.ipynb · 12 cells · 1 finding",
      expect.stringContaining("Cell 3 was never run."),
    ]);
    const made = { ...look, action: "new", totalCells: 0, findings: null };
    const text = "Made analysis.ipynb, without cells.";
    expect(renderResult("notebook", result(made, { text }), noColours)).toEqual(["✓ analysis.ipynb · made · 0 cells"]);
  });

  test("a code cell is highlighted", async () => {
    await expectScreen("notebook-insert", renderResult("notebook", result(edit), view()), view());
  });

  test("a Markdown cell is rendered", async () => {
    const cellSource = "# Sales\n\nBy **region**, see [the data](data.csv):\n\n- north\n- south";
    const details: NotebookEditDetails = { ...edit, action: "edit", cellType: "markdown", cellSource };
    await expectScreen(
      "notebook-markdown",
      renderResult("notebook", result(details), { ...view(), expanded: true }),
      view(),
    );
  });

  test("six rows of a long cell, all of it when expanded", () => {
    const details = { ...edit, cellSource: numberedLines(20) };
    const collapsed = renderResult("notebook", result(details), noColours);
    expect(collapsed).toHaveLength(1 + 6 + 1);
    expect(collapsed.at(-1)).toBe("│ … 14 more lines (ctrl+o)");
    expect(renderResult("notebook", result(details), { ...noColours, expanded: true })).toHaveLength(1 + 20);
    const markdown = { ...details, cellType: "markdown", cellSource: numberedLines(20).replaceAll("\n", "\n\n") };
    expect(renderResult("notebook", result(markdown), noColours)).toHaveLength(1 + 6 + 1);
  });

  test("stale outputs are reported", () => {
    const lines = renderResult("notebook", result({ ...edit, action: "edit", outputsAreStale: true }), noColours);
    expect(lines.at(-1)).toBe("  Its outputs are from an older source.");
  });

  test("an error is an error block that names the notebook", async () => {
    const text = "Error: There is no cell 40: use 0 to 11.";
    const failure: NotebookDetails = { action: "failed", path: "analysis.ipynb" };
    await expectScreen(
      "notebook-error",
      renderResult("notebook", result(failure, { isError: true, text }), view()),
      view(),
    );
    expect(renderResult("notebook", result(null, { isError: true, text }), noColours)).toEqual([`✗ ${text}`]);
  });

  test("a result is rendered once for the same width and state", () => {
    const shown = result(edit);
    const first = renderResult("notebook", shown, view());
    expect(renderResult("notebook", { ...shown }, view())).toBe(first);
    expect(renderResult("notebook", shown, view({ expanded: true }))).not.toBe(first);
    expect(renderResult("notebook", shown, view({ width: 61 }))).not.toBe(first);
    expect(renderResult("notebook", shown, noColours)).not.toEqual(first);
  });

  describe("a run", () => {
    const ok = (index: number, source: string, durationMs: number): CellReport => ({
      ...reportOf({ index, id: null, source }),
      status: "ok",
      executionCount: index,
      durationMs,
    });
    const failed: CellReport = {
      ...ok(5, 'df["regoin"]', 12),
      status: "error",
      error: { name: "KeyError", message: "'regoin'", traceback: [] },
    };
    const notRun = reportOf({ index: 6, id: null, source: "df.plot()" });
    const run: NotebookRun = {
      status: "error",
      savedTo: "analysis.ipynb",
      cells: [ok(1, "import pandas", 640), ok(3, "df = load()", 1200), failed, notRun],
      failed,
      exited: null,
      failure: null,
      kernel: null,
      ledger: null,
      notices: ["The notebook was changed while it ran."],
    };
    const details: NotebookRunDetails = {
      action: "run",
      path: "analysis.ipynb",
      session: "main",
      progress: null,
      run,
      totalCells: 9,
    };

    test("the failed cell and its exception", async () => {
      await expectScreen("notebook-run", renderResult("notebook", result(details, { isError: true }), view()), view());
    });

    test("expanded, every cell", async () => {
      const lines = renderResult("notebook", result(details, { isError: true }), view({ expanded: true }));
      await expectScreen("notebook-run-expanded", lines, view());
    });

    test("its progress, and the end of its output", () => {
      const progress = { number: 3, of: 12, cellIndex: 5 };
      const partial = result({ ...details, run: null, progress }, { isPartial: true, text: numberedLines(30) });
      const lines = renderResult("notebook", partial, noColours);
      expect(lines[0]).toBe("▶ analysis.ipynb · running · cell 5, 3 of 12");
      expect(lines.at(-1)).toBe("  line 30");
      expect(lines).toHaveLength(1 + 1 + 10);
    });

    test("success", () => {
      const fine: NotebookRun = { ...run, status: "ok", cells: run.cells.slice(0, 2), failed: null, notices: [] };
      expect(renderResult("notebook", result({ ...details, run: fine }), noColours)).toEqual([
        "✓ analysis.ipynb · 2 cells run · 1.8 s",
      ]);
    });
  });
});

describe("everything else", () => {
  test("running executions", async () => {
    const executions = [
      { id: "e7", session: "main", title: "train", code: "train()", status: "running", tail: "epoch 3\nloss 0.12" },
      { id: "e8", session: "other", title: null, code: "\nwait()\nmore()", status: "queued", tail: "" },
    ];
    await expectScreen("executions", renderResult("executions", result({ executions }), view()), view());
  });

  test("an unknown tool, or foreign details, are shown as the model reads them", () => {
    const shown = { ...result({ odd: true }, { text: numberedLines(30) }) };
    for (const tool of ["weather", "python", "bash", "notebook", "read", "edit", "write", "executions"]) {
      const lines = renderResult(tool, { ...shown, details: { odd: true } }, noColours);
      expect(lines).toHaveLength(11);
      expect(lines[0]).toBe("  … 20 earlier lines (ctrl+o)");
    }
  });

  test("content that is not text is named", () => {
    const content = [
      { type: "image" as const, base64: "", mimeType: "image/png" },
      { type: "link" as const, uri: "artifact://s1-4", name: "all of the output", mimeType: null },
    ];
    const lines = renderResult("weather", { details: null, content, isError: false, isPartial: false }, noColours);
    expect(lines).toEqual(["  [image/png]", "  all of the output: artifact://s1-4"]);
  });

  test("an error is shown in full", () => {
    const text = "Error: cells[0].code: expected text, and there is a number.\nmore about it";
    expect(renderResult("python", result(null, { isError: true, text }), { ...noColours, width: 40 })).toEqual([
      "✗ Error: cells[0].code: expected text,",
      "  and there is a number.",
      "  more about it",
    ]);
  });
});
