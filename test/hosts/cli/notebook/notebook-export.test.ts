import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, notebook } from "./notebook-command.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const shown = (data: object) => ({ output_type: "display_data", metadata: {}, data });
const code = (source: string, outputs: object[]) => ({
  cell_type: "code",
  metadata: {},
  execution_count: 7,
  source,
  outputs,
});

const cells = [
  {
    cell_type: "markdown",
    metadata: {},
    attachments: { "a b.png": { "image/png": pixel } },
    source: "# Title\n\n**bold** ![a](attachment:a%20b.png) <script>alert(1)</script>",
  },
  code("def half(x):\n    return x / 2  # <half>", [
    { output_type: "stream", name: "stdout", text: "\u001b[31mred\u001b[0m <b>\n" },
    shown({ "image/png": `${pixel}\n`, "text/plain": '<Figure "1">' }),
    shown({ "image/svg+xml": "<svg onload='alert(1)'/>" }),
    shown({ "text/html": "<table><tr><td onclick=alert(1)>7</td></tr></table>", "text/plain": "7" }),
    shown({ "application/javascript": "alert(1)" }),
    shown({ "application/json": { a: ["</pre><script>"] } }),
    { output_type: "error", ename: "E", evalue: "no", traceback: ["\u001b[31mE\u001b[0m: no"] },
  ]),
];
writeFileSync(join(folder, "report.ipynb"), JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: {}, cells }));

describe("granary notebook export --to html", () => {
  test("makes one page with code, Markdown, outputs and pictures, without scripts", async () => {
    const { stdout, exitCode } = await notebook(["export", "report.ipynb", "--to", "html"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "Wrote report.html.\n", exitCode: 0 });
    const page = readFileSync(join(folder, "report.html"), "utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).toContain("<h1>Title</h1>");
    expect(page).toContain(`<img src="data:image/png;base64,${pixel}" alt="a">`);
    expect(page).toContain('<span class="keyword">def</span>');
    expect(page).toContain("# &lt;half&gt;");
    expect(page).toContain('<pre class="stdout">red &lt;b&gt;\n</pre>');
    expect(page).toContain(`<img alt="&lt;Figure &quot;1&quot;&gt;" src="data:image/png;base64,${pixel}">`);
    expect(page).toContain("<td>7</td>");
    expect(page).toContain('<pre class="error">E: no</pre>');
    expect(page).not.toMatch(/<script|<svg|onclick=|onload=/);
  });

  test("writes to standard output, or to the named file", async () => {
    const { stdout } = await notebook(["export", "report.ipynb", "--to", "html", "-o", "-"]);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect(await notebook(["export", "report.ipynb", "--to", "html", "-o", "nowhere/x.html"])).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("There is no folder"),
    });
  });
});

test("overwrites neither the notebook nor an existing file unasked", async () => {
  const before = readFileSync(join(folder, "report.ipynb"), "utf8");
  for (const name of ["report.ipynb", "./report.ipynb"]) {
    expect(await notebook(["export", "report.ipynb", "--to", "html", "-o", name])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("is the notebook itself"),
    });
  }
  expect(readFileSync(join(folder, "report.ipynb"), "utf8")).toBe(before);
  writeFileSync(join(folder, "twice.ipynb"), before);
  writeFileSync(join(folder, "twice.py"), "by hand");
  expect(await notebook(["export", "twice.ipynb", "--to", "script"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("twice.py exists already"),
  });
  expect((await notebook(["export", "twice.ipynb", "--to", "script", "--overwrite"])).exitCode).toBe(0);
});

test("JSON of any depth is exported and compared", async () => {
  const deep = `${"[".repeat(5000)}${"]".repeat(5000)}`;
  const output = `{"output_type":"display_data","metadata":{},"data":{"application/json":${deep}}}`;
  const cell = `{"cell_type":"code","metadata":{},"execution_count":1,"source":"x","outputs":[${output}]}`;
  writeFileSync(join(folder, "deep.ipynb"), `{"cells":[${cell}],"metadata":{},"nbformat":4,"nbformat_minor":4}`);
  expect((await notebook(["export", "deep.ipynb", "--to", "html"])).exitCode).toBe(0);
  expect((await notebook(["diff", "deep.ipynb", "report.ipynb"])).exitCode).toBe(1);
});

test("Markdown that is nested too deeply for its reader is exported as it is", async () => {
  const cell = { cell_type: "markdown", metadata: {}, source: "> ".repeat(20_000) };
  const content = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 4 };
  writeFileSync(join(folder, "quotes.ipynb"), JSON.stringify(content));
  expect(await notebook(["export", "quotes.ipynb", "--to", "html"])).toMatchObject({ stderr: "", exitCode: 0 });
});

test("granary notebook export --to script makes a script with Markdown as comments", async () => {
  await notebook(["export", "report.ipynb", "--to", "script"]);
  const script = readFileSync(join(folder, "report.py"), "utf8");
  expect(script).toContain("# %% [markdown]");
  expect(script).toContain("def half(x):\n    return x / 2  # <half>\n");
});

test("an unknown format is a usage error that lists the known ones", async () => {
  expect(await notebook(["export", "report.ipynb", "--to", "pdf"])).toMatchObject({
    exitCode: 2,
    stderr: "granary: --to is html or script, not pdf.\n",
  });
});
