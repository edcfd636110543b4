import { afterAll, describe, expect, test } from "vitest";
import type { ReadersTerminal } from "../../src/kernel/kernel.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { environment } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { environmentIn, temporaryFolder } from "./runtimes.ts";

const main = environment("main");
const folder = temporaryFolder();

const widest = (output: string): number => Math.max(...output.split("\n").map((line) => line.length));
const narrow: ReadersTerminal = { columns: 50, colors: 0 };
const wide: ReadersTerminal = { columns: 150, colors: 256 };

describe.skipIf("missing" in main).each(["runner", "zmq"] as const)("output for a terminal, on %s", (backend) => {
  const open = async (): Promise<Runtime> => {
    const { python: interpreter } = main as { python: string };
    const settings = { python: { interpreter, backend, startSeconds: 60 } };
    return createRuntime({ cwd: folder, env: environmentIn(folder), settings });
  };
  const granary = open();
  afterAll(async () => (await granary).close());

  /** The session "usual" is for all tests that leave nothing behind that another would notice. */
  async function run(session: string, code: string, terminal?: ReadersTerminal): Promise<string> {
    const result = await (await granary).session(session).run(code, { terminal }).result;
    expect(result.status, result.output).toBe("ok");
    return result.output;
  }

  test("is as wide as the terminal, from the cell that imports a library on, and after it was resized", async () => {
    const frame = py`
      import numpy as np, pandas as pd
      frame = pd.DataFrame(np.arange(300).reshape(10, 30), columns=[f"column{n}" for n in range(30)])
      frame
    `;
    const first = await run("usual", frame, narrow);
    expect(widest(first)).toBeLessThanOrEqual(50);
    // One table with a gap, and not a table for every 50 columns.
    expect(first).toMatch(/^ +column0 .*\.\.\. .*column29\n/);
    const second = await run("usual", "frame", wide);
    expect(widest(second)).toBeGreaterThan(100);
    expect(widest(second)).toBeLessThanOrEqual(150);
    expect(widest(await run("usual", "np.arange(40) / 7", narrow))).toBeLessThanOrEqual(50);
    expect(widest(await run("usual", "np.arange(40) / 7", wide))).toBeGreaterThan(100);
    expect(await run("usual", "__import__('shutil').get_terminal_size().columns", narrow)).toBe("50\n");
    // polars and rich on a pipe ask the environment.
    const variables = "[__import__('os').environ[name] for name in ('POLARS_TABLE_WIDTH', 'JUPYTER_COLUMNS')]";
    expect(await run("usual", variables, wide)).toBe("['150', '150']\n");
  });

  test("is as in a notebook again for a cell without a terminal", async () => {
    await run("usual", "import os, numpy as np, pandas as pd", narrow);
    const options =
      "np.get_printoptions()['linewidth'], pd.get_option('display.width'), pd.get_option('display.max_columns')";
    expect(await run("usual", options, narrow)).toBe("(50, 50, 0)\n");
    expect(await run("usual", options)).toBe("(75, 80, 20)\n");
    expect(await run("usual", "[name for name in os.environ if name.endswith(('COLUMNS', 'TABLE_WIDTH'))]")).toBe(
      "[]\n",
    );
  });

  test("does not change the user's own settings", async () => {
    await run("choice", "import numpy as np, pandas as pd; np.set_printoptions(linewidth=33)", narrow);
    await run("choice", "pd.set_option('display.max_columns', 7)", narrow);
    const options = "np.get_printoptions()['linewidth'], pd.get_option('display.max_columns')";
    expect(await run("choice", options, wide)).toBe("(33, 7)\n");
    expect(await run("choice", options)).toBe("(33, 7)\n");
  });

  test("breaks containers into lines as IPython does, and never beyond the terminal", async () => {
    const value = "{'numbers': list(range(20)), 'text': 'x' * 20}";
    expect(await run("usual", value, wide)).toMatch(/^\{'numbers': \[0,\n {2}1,\n[\s\S]*\],\n 'text': 'x{20}'\}\n$/);
    expect((await run("usual", "['x' * 20] * 3", narrow)).split("\n")).toHaveLength(4);
    expect(await run("usual", "['x' * 20] * 3", wide)).toMatch(/^\[.*\]\n$/);
  });

  test("keeps the colours of rich where the terminal has any", async () => {
    const code = "from rich.text import Text; Text('red', style='red')";
    const shown = async (terminal: ReadersTerminal) =>
      (await (await granary).session("usual").run(code, { terminal }).result).displays[0];
    expect((await shown(wide))?.look?.coloured).toContain("\x1b[31mred\x1b[0m");
    expect(await shown(narrow)).toMatchObject({ text: expect.stringMatching(/^red/), look: { coloured: null } });
  });

  test("tells what is a page, to be read from its top", async () => {
    const { displays } = await (await granary).session("usual").run("len?", { terminal: wide }).result;
    expect(displays).toMatchObject([{ text: expect.stringContaining("Signature:"), look: { kind: "page" } }]);
  });
});
