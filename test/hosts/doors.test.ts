import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { afterAll, describe, expect, test } from "vitest";
import { hidden, hostile } from "../output/hostile-texts.ts";
import { granary, granaryJson } from "./cli/granary.ts";
import { wires } from "./mcp/connect.ts";
import { clientOf } from "./mcp/granary-mcp.ts";

/** Every way in which text leaves Granary, and one text with everything that must not get through. */
const everything = hostile.join(" ");
const python = JSON.stringify(everything).replaceAll("\x7f", "\\x7f");
/** The characters that a file system allows in a name. */
const name = everything.replaceAll(/[\0/]/g, "").slice(0, 60);

const root = realpathSync(mkdtempSync(join(tmpdir(), "granary-doors-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const cwd = join(root, name);
mkdirSync(cwd);

const source = `x = 1  # ${everything.replaceAll("\r", " ")}`;
const notebookFile = `${name}.ipynb`;
const content = JSON.stringify({
  cells: [
    { cell_type: "markdown", id: "a", metadata: {}, source: everything },
    {
      cell_type: "code",
      id: "b",
      metadata: {},
      execution_count: 1,
      source,
      outputs: [
        { output_type: "stream", name: "stdout", text: everything },
        { output_type: "error", ename: everything, evalue: everything, traceback: [everything] },
      ],
    },
  ],
  metadata: { kernelspec: { name: everything, display_name: everything } },
  nbformat: 4,
  nbformat_minor: 5,
});
writeFileSync(join(cwd, notebookFile), content);
writeFileSync(join(cwd, `${name}.txt`), everything);

const raising = `s = ${python}\nE = type(s.replace("\\0", ""), (Exception,), {})\nraise E(s)`;

describe("text for an agent over MCP", () => {
  const [wire] = wires;
  const calls: Record<string, readonly [tool: string, input: object]> = {
    "an exception's name and message": ["python", { cells: [{ code: raising, title: everything }] }],
    "an exception among several cells": ["python", { cells: [{ code: "1" }, { code: raising, title: everything }] }],
    "printed, displayed and returned text": [
      "python",
      {
        cells: [
          {
            code: `s = ${python}\nprint(s)\nfrom IPython.display import *\ndisplay({"text/markdown": s}, raw=True)\n[s]`,
          },
        ],
      },
    ],
    "the title of a background cell": [
      "python",
      { cells: [{ code: "1", title: everything }], background: true, session: "other" },
    ],
    "variables and their values": ["variables", {}],
    "the list of executions": ["executions", { action: "list" }],
    "a command's output": ["bash", { command: `printf '%s' ${shell(everything)}` }],
    "a command that fails": ["bash", { command: "exit 3", cwd: everything.replaceAll("\0", "") }],
    "a file": ["read", { path: `${name}.txt` }],
    "a file that is missing": ["read", { path: `${everything}.missing` }],
    "a folder": ["read", { path: "." }],
    "a notebook as text": ["read", { path: notebookFile }],
    "a notebook": ["notebook", { action: "show", path: notebookFile }],
    "a check of a notebook": ["notebook", { action: "check", path: notebookFile }],
    "a wrong edit": ["edit", { path: `${name}.txt`, edits: [{ old_text: everything, new_text: "x" }] }],
    "a written file": ["write", { path: `${name}-2.txt`, content: everything }],
    "a wrong input": ["python", { cells: [{ code: 1, [everything]: everything }] }],
    "an unknown kernel": ["kernels", { action: "restart", session: everything }],
  };

  test("contains nothing that is obeyed or hidden", { timeout: 120_000 }, async () => {
    if (wire === undefined) throw new Error("there is no wire");
    await using started = await clientOf({ cwd }, wire);
    const { client } = started;
    for (const [what, [tool, input]] of Object.entries(calls)) {
      const progress: (string | undefined)[] = [];
      const result = (await client.callTool(
        { name: tool, arguments: { ...input } },
        { onprogress: ({ message }) => void progress.push(message) },
      )) as CallToolResult;
      expect({ what, hidden: hiddenIn([result, progress]) }).toEqual({ what, hidden: [] });
    }
    const define = `@tool\ndef f(a: int) -> str:\n    ${JSON.stringify(everything).replaceAll("\\u0000", "")}\n    return s`;
    await client.callTool({ name: "python", arguments: { cells: [{ code: define }] } });
    expect(hiddenIn(await client.listTools())).toEqual([]);
    expect(hiddenIn(await client.callTool({ name: "f", arguments: { a: 1 } }))).toEqual([]);
    const { resources } = await client.listResources();
    expect(hiddenIn(resources.map(({ name, title }) => ({ name, title })))).toEqual([]);
    const unknown = await client.callTool({ name: everything, arguments: {} }).catch((error: Error) => error.message);
    expect(hiddenIn(unknown)).toEqual([]);
    const missing = await client
      .readResource({ uri: `granary://help/${everything}` })
      .catch((error: Error) => error.message);
    expect(hiddenIn(missing)).toEqual([]);
  });

  test("and files keep every byte", () => {
    expect(readFileSync(join(cwd, notebookFile), "utf8")).toBe(content);
    expect(readFileSync(join(cwd, `${name}.txt`), "utf8")).toBe(everything);
  });
});

describe("text of the command line", () => {
  const typed = everything.replaceAll("\0", "");
  const commands: Record<string, readonly string[]> = {
    "an exception among several cells": ["run", "-c", "1", "-c", raising],
    "a display": ["run", "-c", `from IPython.display import *\ndisplay({"text/plain": ${python}}, raw=True)`],
    "a file that is missing": ["run", `${typed}.py`],
    "a wrong option": ["run", `--${typed}`],
    "an unknown command": [typed],
    "a session's name": ["run", "--session", typed, "-c", "1"],
    "a notebook": ["notebook", "show", notebookFile],
    "a check": ["notebook", "check", notebookFile],
    "problems of a notebook": ["notebook", "validate", notebookFile],
    "a notebook that is missing": ["notebook", "show", `${typed}.ipynb`],
    "a notebook that fails": ["notebook", "run", notebookFile, "--out", "out.ipynb", "--kernel", typed],
    "a new notebook": ["notebook", "new", `${name}-new.ipynb`],
    doctor: ["doctor"],
    "an artifact that is missing": ["artifact", typed],
  };

  test.each(Object.entries(commands))("%s contains nothing that is obeyed or hidden", async (_, args) => {
    const { stdout, stderr } = await granary(args, { cwd });
    expect(stdout + stderr).not.toBe("");
    expect(hiddenIn([stdout, stderr])).toEqual([]);
  });

  test("a JSON document contains nothing in its output, error and background that is obeyed or hidden", async () => {
    const late = `import threading, time\ns = ${python}\nthreading.Thread(target=lambda: (time.sleep(0.2), print(s))).start()`;
    const { document } = await granaryJson(["run", "-c", late, "-c", raising], { cwd });
    const { background, cells } = document;
    expect(background).toContain("visible<U+E0069>");
    expect(hiddenIn([background, cells.map(({ output, error }) => [output, error])])).toEqual([]);
  });
});

/** The strings of a value that contain hidden characters. */
function hiddenIn(value: unknown): readonly string[] {
  if (typeof value === "string") return hidden.test(value) ? [JSON.stringify(value.slice(0, 300))] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...hiddenIn(key), ...hiddenIn(inner)]);
}

function shell(text: string): string {
  return `'${text.replaceAll("\0", "").replaceAll("'", "'\\''")}'`;
}
