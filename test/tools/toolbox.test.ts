import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listedTool } from "../../src/hosts/mcp/listed-tool.ts";
import type { RuntimeOptions } from "../../src/runtime/runtime-options.ts";
import type { SettingsOverrides } from "../../src/settings/settings.ts";
import type { Tool } from "../../src/tools/definition/tool.ts";
import { createToolbox, type ToolboxOptions } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { environmentIn, runtimeIn, temporaryFolder } from "../runtime/runtimes.ts";
import { textOf } from "./contexts.ts";

const folder = temporaryFolder();
const files = ["read", "edit", "write", "notebook"];
const kernels = ["executions", "variables", "kernels"];

async function names(
  python: SettingsOverrides["python"] = {},
  options: Omit<ToolboxOptions, "runtime"> = {},
  runtime: RuntimeOptions = {},
): Promise<readonly string[]> {
  await using granary = await runtimeIn(folder, python, runtime);
  const { tools } = await createToolbox({ runtime: granary, ...options });
  return tools.map(({ name }) => name);
}

/** A machine without any Python. */
const withoutPython = (): RuntimeOptions => {
  mkdirSync(join(folder, "empty"), { recursive: true });
  return { env: { ...environmentIn(folder), PATH: join(folder, "empty") } };
};

describe("the list of tools", () => {
  test("has both kinds by default, and eval only on request", async () => {
    expect(await names()).toEqual(["python", "bash", ...files, ...kernels]);
    expect(await names({}, { eval: true })).toContain("eval");
    expect(await names({}, {}, { settings: { tools: { eval: true } } })).toContain("eval");
    expect(await names({}, { eval: false }, { settings: { tools: { eval: true } } })).not.toContain("eval");
  });

  test("has one kind less with python.toolMode", async () => {
    expect(await names({ toolMode: "ipy-only" })).toEqual(["python", ...files, ...kernels]);
    expect(await names({ toolMode: "bash-only" }, { eval: true })).toEqual(["bash", ...files, "executions"]);
  });

  test.each([
    ["0", "bash"],
    ["bash", "bash"],
    ["1", "python"],
    ["py", "python"],
  ])("PI_PY=%s leaves only %s", async (PI_PY, kind) => {
    const both = ["python", "bash"];
    const found = await names({}, {}, { env: { ...environmentIn(folder), PI_PY } });
    expect(found.filter((name) => both.includes(name))).toEqual([kind]);
  });

  test.each(["mix", "both"])("PI_PY=%s offers both", async (PI_PY) => {
    const found = await names({}, {}, { env: { ...environmentIn(folder), PI_PY } });
    expect(found).toEqual(expect.arrayContaining(["python", "bash"]));
  });

  test("hides tools that change anything in read-only mode", async () => {
    expect(await names({}, { readOnly: true })).toEqual(["read", "variables"]);
  });
});

describe("a machine without a Python", () => {
  test("has the other tools, and the agent gets the reason once", async () => {
    await using granary = await runtimeIn(folder, {}, withoutPython());
    await using toolbox = await createToolbox({ runtime: granary });
    expect(toolbox.tools.map(({ name }) => name)).toEqual(["bash", ...files, "executions"]);
    expect(toolbox.find("python")).toBeUndefined();
    expect(toolbox.notices).toHaveLength(1);
    expect(toolbox.notices[0]).toMatch(/^Python is not available, .* No Python found\. .*python3 -m venv \.venv$/);
  });

  test("passes when the check is skipped; the call then reports the problem", async () => {
    const { env } = withoutPython();
    await using granary = await runtimeIn(folder, {}, { env: { ...env, PI_PYTHON_SKIP_CHECK: "1" } });
    await using toolbox = await createToolbox({ runtime: granary });
    expect(toolbox.notices).toEqual([]);
    const result = await toolbox.find("python")?.run({ cells: [{ code: "1" }] });
    expect(result?.isError).toBe(true);
    expect(textOf(result as never)).toMatch(/^Error: The cell failed: No Python found\./);
  });

  test("a Jupyter backend without its packages counts as none, with the command that installs them", async () => {
    const bare = join(folder, "bare");
    execFileSync(newestPython().path, ["-m", "venv", "--without-pip", bare]);
    const interpreter = join(bare, "bin", "python");
    await using granary = await runtimeIn(folder, { backend: "zmq", interpreter });
    await using toolbox = await createToolbox({ runtime: granary });
    expect(toolbox.find("python")).toBeUndefined();
    expect(toolbox.notices[0]).toMatch(/has no ipykernel\. Install it with: .* -m pip install ipykernel$/);
  });
});

describe("a toolbox", () => {
  test("starts nothing, and releases its sessions when it is closed", async () => {
    await using granary = await runtimeIn(folder);
    const toolbox = await createToolbox({ runtime: granary, session: "mine", owner: "agent 7" });
    expect(granary.sessions).toEqual([]);
    await toolbox.find("python")?.run({ cells: [{ code: "x = 1" }] });
    expect(granary.sessions.map(({ id, info }) => ({ id, runs: info !== null }))).toEqual([{ id: "mine", runs: true }]);
    await toolbox.close();
    expect(granary.sessions).toEqual([]);
  });

  test("does not end sessions that another toolbox uses", async () => {
    await using granary = await runtimeIn(folder);
    const [one, two] = await Promise.all(["one", "two"].map((owner) => createToolbox({ runtime: granary, owner })));
    await one?.find("python")?.run({ cells: [{ code: "x = 1" }] });
    await two?.find("python")?.run({ cells: [{ code: "x" }] });
    await one?.close();
    expect(textOf((await two?.find("python")?.run({ cells: [{ code: "x" }] })) as never)).toBe("1");
  });
});

describe("Python code and tools", () => {
  test("code in a session calls the tools of its agent, and their errors are exceptions", async () => {
    writeFileSync(join(folder, "greeting.txt"), "hello from a file\n");
    await using granary = await runtimeIn(folder);
    await using toolbox = await createToolbox({ runtime: granary });
    const code = py`
      print(tool.read(path="greeting.txt"))
      try: tool.read(path="nowhere.txt")
      except Exception as error: print(type(error).__name__)
      try: tool.python(cells=[{"code": "1"}])
      except Exception as error: print(type(error).__name__, error.code)
    `;
    const result = await toolbox.find("python")?.run({ cells: [{ code }] });
    expect(textOf(result as never)).toContain("hello from a file");
    expect(textOf(result as never)).toMatch(/\nToolError\nToolError waits-for-itself$/);
  });

  test("a function marked in a cell is a tool until its kernel is gone", async () => {
    await using granary = await runtimeIn(folder);
    await using toolbox = await createToolbox({ runtime: granary });
    let changes = 0;
    toolbox.onToolsChanged(() => changes++);
    const code = py`
      @tool
      def area(width: int, height: int = 2) -> int:
          """The area of a rectangle."""
          print("computing")
          if width < 0: raise ValueError("too small")
          return width * height
      @tool
      def read(path: str) -> str:
          """There is one already."""
          return "mine"
    `;
    const python = toolbox.find("python") as Tool;
    const defined = textOf(await python.run({ cells: [{ code }] }));
    expect(defined).toContain("Note: The function read is not offered: there is a tool of that name.");
    expect(textOf(await python.run({ cells: [{ code: "1" }] }))).toBe("1");
    expect(changes).toBeGreaterThan(0);
    const area = toolbox.find("area") as Tool;
    expect(area.description).toBe("Defined by a cell: The area of a rectangle.");
    expect(listedTool(area).inputSchema).toMatchObject({
      properties: { width: { type: "integer" }, height: { type: "integer" } },
      required: ["width"],
    });
    expect(await area.run({ width: 21 })).toMatchObject({
      content: [{ type: "text", text: "computing\n42" }],
      isError: false,
      structured: { value: 42 },
    });
    expect(textOf(await area.run({ width: "wide" }))).toMatch(/^Error: width: expected a/);
    expect(JSON.stringify(listedTool(area).inputSchema)).not.toContain("minimum");
    const failed = textOf(await area.run({ width: -1 }));
    expect(failed).toMatch(/^Error: area failed: ValueError: too small\n\ncomputing\n/);
    expect(failed).not.toContain("granary_prelude");
    expect(toolbox.tools.filter(({ name }) => name === "read")).toHaveLength(1);
    await toolbox.find("kernels")?.run({ action: "restart" });
    expect(toolbox.find("area")).toBeUndefined();
  });
});

describe("the cost for an agent", () => {
  test("the list of tools is less than 10 kB as MCP sends it", async () => {
    await using granary = await runtimeIn(folder);
    const { tools } = await createToolbox({ runtime: granary });
    const sizes = Object.fromEntries(tools.map((tool) => [tool.name, JSON.stringify(listedTool(tool)).length]));
    const listing = JSON.stringify({ tools: tools.map(listedTool) });
    expect(listing.length, JSON.stringify(sizes)).toBeLessThan(10_000);
  });

  test("every example in a description is a valid input", async () => {
    await using granary = await runtimeIn(folder);
    const { tools } = await createToolbox({ runtime: granary, eval: true });
    for (const { name, description, inputSchema } of tools) {
      const examples = examplesIn(description);
      expect(examples, name).not.toEqual([]);
      for (const example of examples) {
        expect(inputSchema.safeParse(example).error?.issues, `${name}: ${JSON.stringify(example)}`).toBeUndefined();
      }
    }
  });
});

describe("longer help", () => {
  test("exists for every tool, and its examples are valid inputs", async () => {
    await using granary = await runtimeIn(folder);
    const { tools, help } = await createToolbox({ runtime: granary, eval: true });
    expect([...help.keys()].sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, inputSchema } of tools) {
      const fences = [...(help.get(name) ?? "").matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
      expect(fences, name).not.toEqual([]);
      for (const example of fences.flatMap(examplesIn)) {
        expect(inputSchema.safeParse(example).error?.issues, `${name}: ${JSON.stringify(example)}`).toBeUndefined();
      }
    }
  });

  test("covers only existing tools", async () => {
    await using granary = await runtimeIn(folder, { toolMode: "bash-only" });
    const { help } = await createToolbox({ runtime: granary });
    expect(help.has("python")).toBe(false);
    expect(help.get("notebook")).not.toContain('"action": "run"');
  });
});

/** Every JSON object in a text. */
function examplesIn(text: string): readonly unknown[] {
  const examples: unknown[] = [];
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    const ends = [...text.slice(start).matchAll(/\}/g)].map(({ index }) => start + index + 1);
    const end = ends.find((each) => isJson(text.slice(start, each)));
    expect(end, `no JSON: ${text.slice(start)}`).toBeDefined();
    examples.push(JSON.parse(text.slice(start, end)));
    start = end as number;
  }
  return examples;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
