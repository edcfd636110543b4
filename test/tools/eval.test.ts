import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEvalTool } from "../../src/tools/eval.ts";
import { createPythonTool } from "../../src/tools/python.ts";
import { environment } from "../environment/pythons.ts";
import { environmentIn, temporaryFolder } from "../runtime/runtimes.ts";
import { contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();

describe("eval", () => {
  test("runs Python in the same kernel as python", async () => {
    await using context = await contextIn(folder);
    const cells = [
      { language: "py", code: "x = 6" },
      { language: "Python", title: "show", code: "x * 7" },
    ];
    const result = await createEvalTool(context).run({ cells });
    expect(textOf(result)).toBe("[cell 1/2]\n(no output)\n[cell 2/2: show]\n42");
    expect(result.details?.cells.map(({ language }) => language)).toEqual(["python", "python"]);
    expect(textOf(await createPythonTool(context).run({ cells: [{ code: "x" }] }))).toBe("6");
  });

  test("resets before the cells that ask for it, and does not claim that earlier state is there", async () => {
    await using context = await contextIn(folder);
    const cells = [
      { language: "py", code: "x = 1" },
      { language: "py", code: "y = 2", reset: true },
      { language: "py", code: "print(y)" },
      { language: "py", code: "x" },
    ];
    const result = await createEvalTool(context).run({ cells });
    expect(textOf(result)).toMatch(/^Error: Cell 4 of 4 failed: NameError: name 'x' is not defined\.\n\n/);
    expect(textOf(result)).toContain("[cell 3/4]\n2\n");
    expect(textOf(result)).toContain("Note: Python was restarted: A fresh kernel was asked for by agent.");
  });

  test("lists the known languages for an unknown one, and runs nothing", async () => {
    await using context = await contextIn(folder);
    const cells = [
      { language: "py", code: "x = 1" },
      { language: "ruby", code: "puts 1" },
    ];
    expect(textOf(await createEvalTool(context).run({ cells }))).toBe(
      'Error: There is no language "ruby". Known: py. Other languages need Jupyter kernels: set python.backend to zmq or gateway.',
    );
    expect(context.runtime.executions).toEqual([]);
  });
});

const found = environment("ipykernel6");
const interpreter = "python" in found ? found.python : "python3";

describe.skipIf("missing" in found)("on Jupyter kernels", () => {
  // bash_kernel is installed without its kernelspec.
  const place = join(folder, "jupyter", "kernels", "bash");
  const argv = [interpreter, "-m", "bash_kernel", "-f", "{connection_file}"];
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "kernel.json"), JSON.stringify({ argv, language: "bash", display_name: "Bash" }));
  const env = { ...environmentIn(folder), JUPYTER_PATH: join(folder, "jupyter") };
  const choices = { python: { backend: "zmq", interpreter, startSeconds: 60 }, runtimeOptions: { env } } as const;

  test("every language with a kernel is known; each keeps its own variables, and cells run in order", async () => {
    await using context = await contextIn(folder, choices);
    const evaluate = createEvalTool(context);
    const cells = [
      { language: "bash", code: "echo from bash > shared.txt; word=kept" },
      { language: "py", code: "print(open('shared.txt').read(), end='')" },
      { language: "bash", code: 'echo "$word"' },
    ];
    const result = await evaluate.run({ cells });
    expect(textOf(result)).toBe(
      "[cell 1/3]\n(no output)\n[cell 2/3]\nfrom bash\n[cell 3/3]\nkept\n\n" +
        "Note: bash has a kernel of its own: variables of other kernels are not available.",
    );
    expect(result.details?.cells.map(({ language }) => language)).toEqual(["bash", "python", "bash"]);
    const unknown = await evaluate.run({ cells: [{ language: "ruby", code: "1" }] });
    expect(textOf(unknown)).toBe(
      'Error: There is no language "ruby". Known: py, bash. Install a Jupyter kernel for it to have more.',
    );
    const python = createPythonTool(context);
    expect(textOf(await python.run({ cells: [{ code: 'echo "$word"' }], kernel: "bash" }))).toBe("kept");
    expect(textOf(await python.run({ cells: [{ code: "1" }], kernel: "nope" }))).toMatch(
      /^Error: The cell failed: There is no kernel called nope\. There are: .*bash.*or choose another\.$/,
    );
  });

  test("the embedded runner has no kernelspecs to name", async () => {
    await using onRunner = await contextIn(folder);
    const refused = await createPythonTool(onRunner).run({ cells: [{ code: "1" }], kernel: "bash" });
    expect(textOf(refused)).toMatch(/^Error: there is no "kernel"; there are cells, /);
  });
});
