import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import { environment } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { notebookFile, runtime } from "./notebook-runs.ts";

const main = environment("main");
const python = "python" in main ? main.python : "";

const cells = [
  "import rich\nrich.print('[red]x[/]')",
  py`
    from rich.console import Console
    from rich.table import Table
    table = Table("a", "b")
    table.add_row("1", "[bold]2[/]")
    Console().print(table)
  `,
  "table",
  "import builtins\nprint(builtins.__IPYTHON__)",
];

async function storedOutputs(backend: "runner" | "zmq"): Promise<unknown> {
  await using granary = await runtime({ python, settings: { python: { backend } } });
  const path = notebookFile(cells);
  expect(await runNotebook(granary.session(), path)).toMatchObject({ status: "ok" });
  return JSON.parse(readFileSync(path, "utf8")).cells.map(({ outputs }: { outputs: unknown }) => outputs);
}

describe.skipIf(python === "")("what rich prints in a cell", () => {
  test("is stored in a notebook as ipykernel has it: HTML, and text with colours", async () => {
    const stored = await storedOutputs("runner");
    expect(stored).toEqual(await storedOutputs("zmq"));
    expect(JSON.stringify(stored)).toContain("color: #800000");
  });

  test("is plain text for a model", async () => {
    await using granary = await runtime({ python });
    const { output } = await granary.session().run(cells.join("\n")).result;
    expect(output).toContain("x\n┏━━━┳━━━┓\n┃ a ┃ b ┃\n");
    expect(output).not.toContain("\u001b");
  });
});
