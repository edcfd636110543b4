import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderCall } from "../../src/view/render-call.ts";
import { visibleWidth } from "../../src/view/text/styled-text.ts";
import { expectScreen } from "./golden.ts";
import { numberedLines, view } from "./samples.ts";

const noColours = view({ colors: 0 });

test("cells before their run", async () => {
  const input = {
    cells: [
      { title: "load", code: "import pandas as pd\ndf = pd.read_csv('sales.csv')" },
      { language: "bash", code: "ls -l # all", reset: true },
    ],
    timeout: 120,
    reset: true,
  };
  await expectScreen("python-call", renderCall("python", input, view()), view());
});

test("a call whose result is shown below it is one line", () => {
  const input = { cells: [{ title: "load", code: "1" }], cwd: "/data", session: "other", background: true };
  expect(renderCall("python", input, { ...noColours, answered: true })).toEqual([
    "python load · background · session other · cwd /data",
  ]);
  const bash = { command: "make", timeout: 5 };
  expect(renderCall("bash", bash, { ...noColours, answered: true })).toEqual(["bash · timeout 5 s"]);
});

test("ten rows of code, all of it when expanded", () => {
  const input = { cells: [{ code: numberedLines(30) }] };
  expect(renderCall("python", input, noColours)).toHaveLength(1 + 10 + 1);
  expect(renderCall("python", input, { ...noColours, expanded: true })).toHaveLength(1 + 30);
});

test.each([
  [
    { action: "insert", path: "a.ipynb", cell_index: 3, cell_type: "markdown", content: "# Hi" },
    ["notebook insert a.ipynb · cell 3 · markdown", "│ # Hi"],
  ],
  [
    { action: "edit", path: "a.ipynb", cell_id: "ab12", content: "x = 1" },
    ["notebook edit a.ipynb · cell ab12", "│ x = 1"],
  ],
  [
    { action: "replace", path: "a.ipynb", cell_index: 0, old: "x", new: "y" },
    ["notebook replace a.ipynb · cell 0", "│ -x", "│ +y"],
  ],
  [{ action: "run", path: "a.ipynb" }, ["notebook run a.ipynb"]],
  [
    {
      path: "a.ipynb",
      edits: [
        { action: "delete", cell_index: 1 },
        { action: "delete", cell_index: 1 },
      ],
    },
    ["notebook delete a.ipynb · cell 1 · 2 edits"],
  ],
])("notebook: %j", (input, lines) => {
  expect(renderCall("notebook", input, noColours)).toEqual(lines);
});

test.each([
  ["bash", { command: "make -j2\nmake test", cwd: "/src" }, ["bash · cwd /src", "│ make -j2", "│ make test"]],
  ["read", { path: "log.txt:10-20" }, ["read log.txt:10-20"]],
  ["write", { path: "a.py", content: "x = 1\n" }, ["write a.py", "│ x = 1"]],
  ["edit", { path: "a.py", edits: [{ old: "a\nb", new: "c" }] }, ["edit a.py", "│ -a", "│ -b", "│ +c"]],
  ["kernels", { action: "restart", session: "main" }, ["kernels · action restart · session main"]],
  ["weather", {}, ["weather"]],
])("%s: %j", (tool, input, lines) => {
  expect(renderCall(tool, input, noColours)).toEqual(lines);
});

describe("while a model writes it", () => {
  const whole = JSON.stringify({
    cells: [{ title: "load", code: 'print("é日本")' }],
    command: "ls",
    path: "a.ipynb",
    action: "insert",
    edits: [{ old: "a", new: "b" }],
    content: "# Title",
    timeout: 3,
  });

  test.each(["python", "eval", "bash", "read", "edit", "write", "notebook", "other"])(
    "%s shows the input so far",
    (tool) => {
      for (let length = 0; length <= whole.length; length++) {
        const lines = renderCall(tool, soFar(whole.slice(0, length)), noColours);
        expect(lines[0]).toContain(tool);
      }
    },
  );

  test("any input is harmless", () => {
    const tools = fc.constantFrom("python", "eval", "bash", "read", "edit", "write", "notebook", "x\u001b[2Jy");
    const names = ["cells", "code", "command", "path", "edits", "old", "content", "timeout", "action", "title"];
    const anything = fc.anything({ key: fc.constantFrom(...names), maxDepth: 3, withNullPrototype: true });
    fc.assert(
      fc.property(tools, anything, fc.integer({ min: 20, max: 100 }), (tool, input, width) => {
        for (const line of renderCall(tool, input, view({ width }))) {
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing but styles
          expect(line.replaceAll(/\u001b\[[\d;]*m/g, "")).not.toMatch(/[\u0000-\u001f]/);
        }
      }),
    );
  });
});

/** A host's view of incomplete JSON: it closes open brackets, or has nothing yet. */
function soFar(json: string): unknown {
  for (const end of ["", '"', '"}', '"}]}', "}", "}]}", "]}"]) {
    try {
      return JSON.parse(json + end);
    } catch {}
  }
  return undefined;
}
