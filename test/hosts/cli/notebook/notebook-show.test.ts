import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { newestPython } from "../../../environment/pythons.ts";
import { folder, notebook } from "./notebook-command.ts";

/** The smallest valid PNG. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const cells = [
  { cell_type: "markdown", id: "text", metadata: {}, source: ["# Title\n", "\n", "some **bold** words"] },
  {
    cell_type: "code",
    id: "code",
    metadata: {},
    execution_count: 3,
    source: ["def half(x):\n", "    return x / 2"],
    outputs: [
      { output_type: "stream", name: "stdout", text: ["printed\n", "twice\n"] },
      { output_type: "display_data", metadata: {}, data: { "image/png": pixel, "text/plain": "<Figure>" } },
      { output_type: "display_data", metadata: {}, data: { "application/json": { a: 1 } } },
      { output_type: "error", ename: "ValueError", evalue: "no", traceback: [] },
      { output_type: "unheard of" },
    ],
  },
  { cell_type: "raw", id: "raw", metadata: {}, source: ["\u001b]0;mine\u0007 raw"] },
];
writeFileSync(join(folder, "shown.ipynb"), JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));

const picture = `[image/png 1x1 → ${join(folder, "home", "pictures", "6b7fa434f92a8b80.png")}]`;

describe("granary notebook show", () => {
  test("a traceback names cells by their index, as the headings do", async () => {
    const traceback = ['  File "<cell 3>", line 1, in <module>', '  File "<cell 9>", line 2, in f', "ValueError: no"];
    const outputs = [{ output_type: "error", ename: "ValueError", evalue: "no", traceback }];
    const code = { cell_type: "code", metadata: {}, source: "f()", outputs, execution_count: 3 };
    const raised = { nbformat: 4, nbformat_minor: 4, metadata: {}, cells: [{ ...cells[0], id: undefined }, code] };
    writeFileSync(join(folder, "raised.ipynb"), JSON.stringify(raised));
    const { stdout } = await notebook(["show", "raised.ipynb", "--cells", "1"]);
    expect(stdout).toContain('# cell 1: code [3]\nf()\n  |   File "cell 1", line 1, in <module>\n  |   File "In [9]"');
  });

  test("--cells can be repeated", async () => {
    const { stdout } = await notebook(["show", "shown.ipynb", "--no-outputs", "--cells", "text", "--cells", "2"]);
    expect(stdout.match(/^# cell \d/gm)).toEqual(["# cell 0", "# cell 2"]);
  });

  test("saves SVG and GIF pictures, and gives the size of outputs that it cannot show", async () => {
    const gif = "R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==";
    const bundles = [
      { "image/svg+xml": ["<svg>\n", "</svg>"] },
      { "image/gif": gif },
      { "application/vnd.foo": { a: 1 } },
    ];
    const outputs = bundles.map((data) => ({ output_type: "display_data", metadata: {}, data }));
    const cell = { cell_type: "code", id: "a", metadata: {}, execution_count: 1, source: [], outputs };
    const content = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] };
    writeFileSync(join(folder, "drawn.ipynb"), JSON.stringify(content));
    const { stdout } = await notebook(["show", "drawn.ipynb"]);
    const [, svg, moving, foo] = stdout.split("\n");
    const pathIn = (line: string | undefined) => /→ (\S+)\]$/.exec(line ?? "")?.[1] ?? "";
    expect(svg).toMatch(/^ {2}\| \[SVG drawing, 12 bytes, not shown: .* → \S+\.svg\]$/);
    expect(readFileSync(pathIn(svg), "utf8")).toBe("<svg>\n</svg>");
    expect(moving).toMatch(/^ {2}\| \[image\/gif.* → \S+\.gif\]$/);
    expect(readFileSync(pathIn(moving)).toString("base64")).toBe(gif);
    expect(foo).toBe("  | [application/vnd.foo, 7 bytes]");
  });

  test("puts a picture where it was displayed, even beside text that looks like its placeholder", async () => {
    const printed = { output_type: "stream", name: "stdout", text: ["<Figure>\n"] };
    const figure = {
      output_type: "display_data",
      metadata: {},
      data: { "image/png": pixel, "text/plain": "<Figure>" },
    };
    const outputs = [printed, figure, { ...printed, text: ["middle\n", "<Figure>\n"] }];
    const cell = { cell_type: "code", id: "a", metadata: {}, execution_count: 1, source: [], outputs };
    writeFileSync(
      join(folder, "order.ipynb"),
      JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] }),
    );
    const { stdout } = await notebook(["show", "order.ipynb"]);
    const shown = ["<Figure>", picture, "middle", "<Figure>"].map((line) => `  | ${line}`);
    expect(stdout.split("\n").slice(1, 5)).toEqual(shown);
  });

  test("prints a notebook without styles outside of a terminal", async () => {
    const { stdout } = await notebook(["show", "shown.ipynb"]);
    expect(stdout).toBe(
      [
        "# cell 0: markdown text",
        "# Title",
        "",
        "some **bold** words",
        "",
        "# cell 1: code [3] code",
        "def half(x):",
        "    return x / 2",
        "  | printed",
        "  | twice",
        `  | ${picture}`,
        '  | { "a": 1 }',
        "  | ValueError: no",
        "  | [an output of an unknown kind]",
        "",
        "# cell 2: raw raw",
        "␛]0;mine␇ raw",
        "",
        "",
      ].join("\n"),
    );
  });

  test("on a terminal renders Markdown, draws pictures with their path, and shows values as trees", async () => {
    const shown = await onTerminal({ TERM: "xterm-256color" });
    expect(shown.replaceAll(styles, "")).toBe(
      [
        "# cell 0: markdown text",
        "# Title",
        "",
        "some bold words",
        "",
        "# cell 1: code [3] code",
        "def half(x):",
        "    return x / 2",
        "  │ printed",
        "  │ twice",
        "  │ ▀",
        `  │ ${picture}`,
        "  │ {1 key}",
        "  │ └ a: 1",
        "  │ ValueError: no",
        "  │ [an output of an unknown kind]",
        "",
        "# cell 2: raw raw",
        "␛]0;mine␇ raw",
        "",
        "",
      ].join("\n"),
    );
  });

  test("on a terminal, wrong settings of the folder are named, and the notebook is shown with the user's own", async () => {
    const wrong = join(folder, "wrong-settings");
    mkdirSync(join(wrong, ".granary"), { recursive: true });
    writeFileSync(join(wrong, ".granary/settings.json"), '{ "python.fnord": 1 }');
    copyFileSync(join(folder, "shown.ipynb"), join(wrong, "shown.ipynb"));
    const stdout = new Screen();
    const env = { HOME: folder, GRANARY_HOME: join(folder, "home"), TERM: "xterm-256color", NO_COLOR: "1" };
    const context = { stdout, cwd: wrong, isTerminal: () => true, env };
    const { stderr, exitCode } = await notebook(["show", "shown.ipynb"], context);
    expect(stderr).toMatch(/There is no setting python\.fnord\. .* The notebook is shown without these settings\.\n$/);
    expect(stdout.text).toContain("# cell 2: raw raw");
    expect(exitCode).toBe(0);
  });

  test("on a terminal highlights code and shows errors in red", async () => {
    const shown = await onTerminal({ TERM: "xterm-256color" });
    expect(shown).toContain("\u001b[38;5;176mdef\u001b[39m \u001b[38;5;75mhalf\u001b[39m(x):");
    expect(shown).toContain("\u001b[38;5;203mValueError: no\u001b[39m");
  });

  test("on a terminal without colours prints none, and only names pictures", async () => {
    const shown = await onTerminal({ TERM: "xterm-256color", NO_COLOR: "1" });
    expect(shown).not.toContain("\u001b");
    expect(shown).toContain(`  │ twice\n  │ ${picture}\n`);
  });

  test("on a terminal folds long lines of output beside their bar, and leaves code unchanged", async () => {
    const source = `x = "${"long ".repeat(30)}"`;
    const outputs = [{ output_type: "stream", name: "stdout", text: ["0123456789".repeat(12)] }];
    const long = { cell_type: "code", id: "c", metadata: {}, execution_count: 1, source: [source], outputs };
    const text = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [long] });
    writeFileSync(join(folder, "long.ipynb"), text);
    const lines = (await onTerminal({ NO_COLOR: "1" }, "long.ipynb")).split("\n");
    expect(lines[1]).toBe(source);
    expect(lines.slice(2, 4).map((line) => line.length)).toEqual([80, 48]);
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with one
const styles = /\u001b\[[\d;]*m/g;

async function onTerminal(env: Readonly<Record<string, string>>, file = "shown.ipynb"): Promise<string> {
  const stdout = new Screen();
  const PATH = [dirname(newestPython().path), "/usr/bin", "/bin"].join(":");
  await notebook(["show", file], {
    stdout,
    isTerminal: () => true,
    env: { PATH, HOME: folder, GRANARY_HOME: join(folder, "home"), ...env },
  });
  return stdout.text;
}

class Screen extends Writable {
  readonly columns = 80;
  readonly rows = 24;
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
