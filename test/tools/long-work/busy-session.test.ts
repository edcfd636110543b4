import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPythonTool } from "../../../src/tools/python.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { py } from "../../kernel/py.ts";
import { until } from "../../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "../../runtime/runtimes.ts";
import { contextIn, textOf } from "../contexts.ts";

const folder = temporaryFolder();

/** Prints a word and waits for a file of that name. */
const printAndWait = (word: string): string => py`
  import os, time
  print("${word}", flush=True)
  while not os.path.exists("${word}"): time.sleep(0.005)
`;

const letGo = (word: string): void => writeFileSync(join(folder, word), "");

test("a busy session reports at once what runs, its last output, and the remedies", async () => {
  await using context = await contextIn(folder);
  const python = createPythonTool(context);
  await python.run({ cells: [{ title: "train", code: printAndWait("epoch 3") }], background: true });
  await until("it has printed", () => context.runtime.execution("run-1")?.tail(100) === "epoch 3\n");
  const result = await python.run({ cells: [{ code: "1" }] });
  expect(textOf(result)).toMatch(
    /^Error: Session main is busy: run-1 \(train\) has been running for \d+ s\.\nIt last printed: epoch 3\n/,
  );
  for (const way of ['{"action": "wait", "id": "run-1"}', '{"action": "interrupt", "id": "run-1"}', '"session"']) {
    expect(textOf(result)).toContain(way);
  }
  expect(result).toMatchObject({ isError: true, structured: { error: { code: "session-busy" } } });
  expect(context.runtime.executions.map(({ id }) => id)).toEqual(["run-1"]);
  letGo("epoch 3");
});

test("a call with queue waits its turn, and says if its cells have not begun when it returns", async () => {
  await using context = await contextIn(folder);
  const python = createPythonTool(context);
  await python.run({ cells: [{ code: printAndWait("line") }], background: true });
  const early = await python.run({ cells: [{ code: "'its turn'" }], queue: true, timeout: 1 });
  expect(textOf(early)).toMatch(/^not begun yet: run-2\. It waits for run-1/);
  letGo("line");
  expect((await context.runtime.execution("run-2")?.result)?.output).toBe("'its turn'\n");
});

test("another session of the same agent is free meanwhile", async () => {
  await using context = await contextIn(folder);
  const python = createPythonTool(context);
  await python.run({ cells: [{ code: printAndWait("beside") }], background: true });
  const result = await python.run({ cells: [{ code: "6 * 7" }], session: "other" });
  expect(textOf(result)).toMatch(/^42\n/);
  letGo("beside");
});

test("calls that an agent makes at the same time take turns; those of another agent fail as busy", async () => {
  await using granary = await runtimeIn(folder);
  await using mine = await createToolbox({ runtime: granary, owner: "me" });
  await using theirs = await createToolbox({ runtime: granary, owner: "them" });
  const first = mine.find("python")?.run({ cells: [{ code: printAndWait("together") }] });
  await until("it has printed", () => granary.execution("run-1")?.tail(100) === "together\n");
  const second = mine.find("python")?.run({ cells: [{ code: "'second'" }] });
  const other = await theirs.find("python")?.run({ cells: [{ code: "'other'" }] });
  expect(textOf(other as never)).toMatch(/^Error: Session main is busy: run-1 /);
  letGo("together");
  await first;
  expect(textOf((await second) as never)).toBe("'second'");
});

test("a cell that has outlived its call cannot run a cell of its own session by a tool: both would wait", async () => {
  await using granary = await runtimeIn(folder);
  await using toolbox = await createToolbox({ runtime: granary });
  const code = py`
    try: tool.python(cells=[{"code": "1"}])
    except Exception as error: print(error.code)
  `;
  await toolbox.find("python")?.run({ cells: [{ code }], background: true });
  expect((await granary.execution("run-1")?.result)?.output).toBe("waits-for-itself\n");
});

test("a kernel that is only being started makes no session busy", async () => {
  await using context = await contextIn(folder);
  context.sessionFor().start();
  expect(textOf(await createPythonTool(context).run({ cells: [{ code: "6 * 7" }] }))).toBe("42");
});

test("a reset of a busy session is refused, and nothing is lost", async () => {
  await using context = await contextIn(folder);
  const python = createPythonTool(context);
  await python.run({ cells: [{ code: printAndWait("no reset") }], background: true });
  const result = await python.run({ cells: [{ code: "1" }], reset: true });
  expect(textOf(result)).toMatch(/^Error: Session main is busy/);
  letGo("no reset");
  expect((await context.runtime.execution("run-1")?.result)?.status).toBe("ok");
});

test("an undo while the cell of another agent runs fails as busy, and undoes nothing", async () => {
  await using granary = await runtimeIn(folder, { checkpoints: "auto" });
  await using mine = await createToolbox({ runtime: granary, owner: "me" });
  await using theirs = await createToolbox({ runtime: granary, owner: "them" });
  await mine.find("python")?.run({ cells: [{ code: "x = 1" }] });
  await theirs.find("python")?.run({ cells: [{ code: "x" }] });
  const running = mine.find("python")?.run({ cells: [{ code: `${printAndWait("undo")}\nx = 50` }] });
  await until("it has printed", () => granary.executions.at(-1)?.tail(100) === "undo\n");
  const undo = await theirs.find("kernels")?.run({ action: "undo" });
  expect(textOf(undo as never)).toMatch(
    /^Error: Session main is busy: run-3 .*\n.*\nWait for it: .* Stop it: .*\nNothing was undone\.$/,
  );
  letGo("undo");
  await running;
  expect(textOf((await mine.find("python")?.run({ cells: [{ code: "x" }] })) as never)).toBe("50");
});
