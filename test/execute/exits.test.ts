import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { sayRan } from "../../src/execute/notebook/run-summary.ts";
import { runNotebook } from "../../src/execute/run-notebook.ts";
import { stopSharedGateways } from "../../src/kernel/gateway/shared/shared-gateway.ts";
import { ipykernelBackends, testedPythons } from "../environment/variants.ts";
import { pythonWith } from "../notebook/python-nbformat.ts";
import { folder, notebookFile, readCells, runtime, shownBy } from "./notebook-runs.ts";

const leaving = [
  "import sys\nsys.exit()",
  "import sys\nsys.exit(0)",
  "import sys\nsys.exit(None)",
  "import sys\nsys.exit(False)",
  "raise SystemExit",
  "raise SystemExit(0)",
  "raise SystemExit(None)",
  "exit()",
  "quit()",
  "def leave():\n    import sys\n    sys.exit()\nleave()",
  "import asyncio, sys\nawait asyncio.sleep(0)\nsys.exit()",
];

const failing: readonly (readonly [source: string, message: string])[] = [
  ["import sys\nsys.exit(3)", "3"],
  ["import sys\nsys.exit('no data')", "no data"],
  ["raise SystemExit(-1)", "-1"],
  ["exit(2)", "2"],
  ["import sys\nsys.exit(0.0)", "0.0"],
  ["import sys\nsys.exit([])", "[]"],
];

const old = { execution_count: 9, outputs: [{ name: "stdout", output_type: "stream", text: ["old\n"] }] };
const cellsWith = (source: string) => ["print('first')", source, { source: "print('last')", ...old }];

/** IPython advises to use `exit` instead. */
const shownWithoutAdvice = (path: string) =>
  shownBy(path).map((outputs) => outputs.filter((output) => !output.includes("To exit: use 'exit'")));

const python = pythonWith("kernel_gateway", "ipykernel");
afterAll(() => stopSharedGateways(join(folder, "home")));

describe.each(["runner", ...ipykernelBackends] as const)("on the backend %s", (backend) => {
  const open = () =>
    runtime({
      ...(backend === "runner" || python === null ? {} : { python }),
      settings: { python: { backend, startSeconds: 60 } },
    });
  const isMissing = backend !== "runner" && python === null;

  test.skipIf(isMissing)(
    "code that leaves ends the notebook: no later cell runs, and the run has succeeded",
    async () => {
      await using granary = await open();
      const session = granary.session(backend);
      for (const source of leaving) {
        const path = notebookFile(cellsWith(source));
        const run = await runNotebook(session, path);
        const { status, failed, exited, savedTo, cells } = run;
        expect({ source, status, failed, exited: exited?.index, savedTo }).toEqual({
          source,
          status: "ok",
          failed: null,
          exited: 1,
          savedTo: path,
        });
        expect(cells.map((cell) => cell.status)).toEqual(["ok", "ok", "not-run"]);
        // As nbclient leaves it: what was not run keeps what it showed.
        expect(shownWithoutAdvice(path)).toEqual([["stdout: first\n"], [], ["stdout: old\n"]]);
        expect(readCells(path)[2]?.execution_count).toBe(9);
        expect(sayRan(run, folder)).toContain("Cell 1 ended the notebook with sys.exit(), so cell 2 was not run.");
      }
    },
  );

  test.skipIf(isMissing)("with another status, or a text, the run has failed", async () => {
    await using granary = await open();
    const session = granary.session(backend);
    for (const [source, message] of failing) {
      const path = notebookFile(cellsWith(source));
      const run = await runNotebook(session, path);
      expect({ source, ...run }).toMatchObject({
        source,
        status: "error",
        failed: { index: 1, error: { name: "SystemExit", message } },
        exited: null,
      });
      expect(shownWithoutAdvice(path).slice(1)).toEqual([[`error: SystemExit: ${message}`], ["stdout: old\n"]]);
    }
  });

  test.skipIf(isMissing)("a cell that may raise may leave, and the next one runs, as in nbclient", async () => {
    await using granary = await open();
    const tagged = { source: "raise SystemExit", metadata: { tags: ["raises-exception"] } };
    const path = notebookFile([tagged, "print('next')"]);
    expect(await runNotebook(granary.session(backend), path)).toMatchObject({ status: "ok", exited: null });
    expect(shownBy(path)[1]).toEqual(["stdout: next\n"]);
  });
});

test.each(testedPythons())(
  "on Python $version a status that is not a number does no harm to the kernel",
  async ({ path: python }) => {
    await using granary = await runtime({ python });
    const session = granary.session();
    const odd = [
      "class Odd:\n    def __eq__(self, other): raise ValueError('no')\nraise SystemExit(Odd())",
      "class Odd(SystemExit):\n    code = property(lambda self: 1 / 0)\nraise Odd()",
      "class Zero(int):\n    def __eq__(self, other): raise ValueError('no')\nraise SystemExit(Zero(1))",
    ];
    for (const source of odd) {
      const run = await runNotebook(session, notebookFile([source, "1"]));
      expect({ source, status: run.status, generation: run.ledger?.generation }).toEqual({
        source,
        status: "error",
        generation: 1,
      });
    }
  },
);
