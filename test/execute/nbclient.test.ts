import { execFile } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comparableOutputs } from "../../src/execute/notebook/verify/comparable-outputs.ts";
import { type RunNotebookOptions, runNotebook } from "../../src/execute/run-notebook.ts";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import { asOutput } from "../../src/notebook/output.ts";
import { parseNotebook } from "../../src/notebook/parse/parse-notebook.ts";
import { ipykernelBackends } from "../environment/variants.ts";
import { py } from "../kernel/py.ts";
import { judgeEach, pythonWith } from "../notebook/python-nbformat.ts";
import { folder, notebookFile, runtime } from "./notebook-runs.ts";

/** Jupyter's own runner of notebooks and ours are given the same cells. */
const notebooks: Readonly<Record<string, readonly string[]>> = {
  "streams and results": ["x = 6\nprint('a')\nprint('b')", "x * 7", "import sys\nprint('c', file=sys.stderr)\nNone"],
  unicode: ["print('Grüße, 世界 🌾')\n'é\\u2028x'", "ünïcode = 1\nünïcode"],
  "display updates, also of earlier cells": [
    "h = display('one', display_id='bar')\nprint('text')",
    "h.update('two')\nfrom IPython.display import update_display\nupdate_display('nobody', display_id='unknown')",
    "display('three', display_id='bar')",
  ],
  clear_output: [
    "from IPython.display import clear_output\nprint('gone')\nclear_output()\nprint('stays')",
    "print('gone')\nclear_output(wait=True)\nprint('stays')",
    "print('stays')\nclear_output(wait=True)",
    "for n in range(3):\n    clear_output(wait=True)\n    display(n)",
  ],
  "SVG, pictures and other rich displays": [
    py`
      from IPython.display import SVG, Image, HTML, Markdown, JSON, Latex, display
      SVG("<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'></svg>")
    `,
    py`
      import base64
      png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      Image(base64.b64decode(png))
    `,
    "display(HTML('<b>bold</b>'), Markdown('*hi*'), Latex('$x$'))\nJSON({'a': [1, None]})",
  ],
  "a widget's fallback text": [
    py`
      class Widget:
          def _repr_mimebundle_(self, **kwargs):
              view = {"version_major": 2, "version_minor": 0, "model_id": "0123456789abcdef0123456789abcdef"}
              return {"text/plain": "IntSlider(value=7)", "application/vnd.jupyter.widget-view+json": view}
      Widget()
    `,
  ],
  errors: ["def f():\n    return {}['missing']\nf()"],
  tables: ["import pandas as pd\npd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})"],
  // Last, because it ends a run of ours even where errors are allowed.
  "an interrupt": ["print('begun')\nraise KeyboardInterrupt"],
};

/** Notebooks with a cell that ends the run. */
const failing: Readonly<Record<string, readonly string[]>> = {
  "a kernel that dies": ["x = 1", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "x"],
  "input without a user to answer": ["x = 1", "input('Name: ')", "x"],
};

const program = py`
  import asyncio, json, sys, warnings
  warnings.simplefilter("ignore")
  import nbformat
  from nbclient import NotebookClient
  from nbclient.exceptions import CellExecutionError, DeadKernelError

  async def execute(path, allow_errors):
      notebook = nbformat.read(path, as_version=4)
      try:
          await NotebookClient(notebook, allow_errors=allow_errors, kernel_name="python3").async_execute()
      except (CellExecutionError, DeadKernelError):
          pass
      nbformat.write(notebook, path + ".nbclient")

  async def main(together, *paths):
      await asyncio.gather(execute(together, True), *(execute(path, False) for path in paths))

  asyncio.run(main(*json.load(sys.stdin)))
`;

const backends = ["runner", ...ipykernelBackends] as const;
const python = pythonWith("nbclient", "pandas", "kernel_gateway");
// One after the other in one kernel, because Jupyter's takes long to start.
const together = notebookFile(Object.values(notebooks).flat());
const endings = Object.fromEntries(Object.entries(failing).map(([name, cells]) => [name, notebookFile(cells)]));
/** Files that Granary has written, for nbformat to judge. */
const written: string[] = [];

beforeAll(async () => {
  if (python !== null) await nbclient(python, [together, ...Object.values(endings)]);
});
afterAll(() => stopSharedGateways(join(folder, "home")));

describe.skipIf(python === null).each(backends)("on the backend %s", (backend) => {
  let ran: readonly ComparableCell[];
  beforeAll(async () => {
    ran = await ranByGranary(backend, together, { allowErrors: true });
  });

  describe("what a notebook shows is what nbclient makes of it:", () => {
    let first = 0;
    for (const [name, { length }] of Object.entries(notebooks)) {
      const [from, to] = [first, first + length];
      first = to;
      test(name, () => {
        expect(ran.slice(from, to)).toEqual(comparableNotebook(`${together}.nbclient`).slice(from, to));
      });
    }

    test.each(Object.entries(endings))("%s ends the run there", async (_, path) => {
      const ours = await ranByGranary(backend, path, {});
      const theirs = comparableNotebook(`${path}.nbclient`);
      expect(ours.at(0)).toEqual(theirs.at(0));
      expect(ours.at(1)?.at(-1)).toMatch(/^error: (DeadKernelError|InputNotAvailable)/);
      expect(ours.at(2)).toEqual([null]);
      expect(theirs.at(2)).toEqual([null]);
    });
  });
});

test.skipIf(python === null)("nbformat finds nothing wrong with what was written", () => {
  const texts = written.map((path) => readFileSync(path, "utf8"));
  expect(texts).toHaveLength(backends.length * (1 + Object.keys(endings).length));
  const judge = "nbformat.validate(json.loads(text)) or 'valid'";
  expect(judgeEach(python as string, "import nbformat", judge, texts)).toEqual(texts.map(() => "valid"));
});

async function ranByGranary(backend: Backend, path: string, options: RunNotebookOptions) {
  const copy = path.replace(".ipynb", `-${backend}.ipynb`);
  copyFileSync(path, copy);
  written.push(copy);
  const settings = { python: { backend, startSeconds: 60 } };
  await using granary = await runtime({ python: python as string, settings });
  await runNotebook(granary.session(backend), copy, options);
  return comparableNotebook(copy);
}

type Backend = (typeof backends)[number];
/** Its prompt number and what it shows. */
type ComparableCell = readonly (string | number | null)[];

async function nbclient(python: string, paths: readonly string[]): Promise<void> {
  const running = promisify(execFile)(python, ["-c", program]);
  running.child.stdin?.end(JSON.stringify(paths));
  await running;
}

function comparableNotebook(path: string): readonly ComparableCell[] {
  return parseNotebook(readFileSync(path)).cells.map((cell) => {
    const outputs = cell.outputs.map(asOutput).filter((output) => output !== null);
    return [cell.executionCount, ...comparableOutputs(outputs)];
  });
}
