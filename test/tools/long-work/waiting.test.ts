import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tool } from "../../../src/tools/definition/tool.ts";
import { createToolbox, type Toolbox } from "../../../src/tools/toolbox.ts";
import { notebookText } from "../../execute/notebook-runs.ts";
import { until } from "../../kernel/until.ts";
import { runtimeIn, temporaryFolder } from "../../runtime/runtimes.ts";
import { contentOf, textOf } from "../contexts.ts";

const folder = temporaryFolder();
const waitFor = (word: string): string =>
  `import os, time\nwhile not os.path.exists("${word}"): time.sleep(0.005)\nprint("end of ${word}")`;
const letGo = (word: string): void => writeFileSync(join(folder, word), "");
const idIn = (text: string): string => /run-\d+/.exec(text)?.[0] ?? "";

describe("work that has outlived its call", () => {
  let granary: Awaited<ReturnType<typeof runtimeIn>>;
  let toolbox: Toolbox;
  const tool = (name: string): Tool => toolbox.find(name) ?? expect.unreachable();
  const call = async (name: string, input: object) => textOf(await tool(name).run(input));

  beforeAll(async () => {
    granary = await runtimeIn(folder);
    toolbox = await createToolbox({ runtime: granary });
    await call("python", { cells: [{ code: "order = []" }] });
  });

  afterAll(async () => {
    await toolbox.close();
    await granary.close();
  });

  test("shows its output so far as short as a result: similar lines folded, beginning and end", async () => {
    const command = "for i in {1..5000}; do echo line $i; done; while [ ! -e lines ]; do sleep 0.01; done; echo end";
    const early = await tool("bash").run({ command, timeout: 2 });
    const id = idIn(textOf(early));
    expect(textOf(early)).toMatch(/^still running: run-\d+, \d+ s so far\.\n\nline 1\nline 2\n/);
    expect(textOf(early)).toMatch(/\nline 10\n… 4,980 lines like "line 11"; all of it: artifact:\S+ …\nline 4991\n/);
    expect(contentOf(early, "link")).toHaveLength(1);
    const polled = await call("executions", { id });
    expect(polled).toContain("… 4,980 lines like");
    const since = Number(/"since": (\d+)/.exec(textOf(early))?.[1]);
    letGo("lines");
    // Nothing comes twice, and nothing is lost.
    expect(await call("executions", { action: "wait", id, since })).toBe(`${id} is over: ok.\n\nend`);
  });

  test("a long output since a position is folded, with its exact number of lines", async () => {
    const code = `print("begin", flush=True)\n${waitFor("news")}\nfor i in range(3000): print("step", i, i / 7)`;
    const early = await call("python", { cells: [{ code }], timeout: 1 });
    const since = Number(/"since": (\d+)/.exec(early)?.[1]);
    letGo("news");
    const news = await call("executions", { action: "wait", since });
    expect(news).toMatch(/is over: ok\.\n\nend of news\nstep 0 0\.0\n/);
    expect(news).toMatch(/\n… 2,980 lines like "step 10 1\.42\d*"; all of it: artifact:\S+ …\n/);
    expect(news.endsWith(`step 2999 ${2999 / 7}`)).toBe(true);
  });

  test("one wait is for all cells of the call, and shows where they stopped", async () => {
    const cells = [
      { code: "'first'" },
      { title: "slow", code: waitFor("cells") },
      { code: "1 / 0" },
      { code: "'never'" },
    ];
    const early = await call("python", { cells, timeout: 1 });
    const [, second = "", third = "", fourth = ""] =
      /^still running: (\S+), .*; (\S+), (\S+) follow\./.exec(early) ?? [];
    expect(early).toContain(`"id": "${second}", "since": `);
    const waiting = call("executions", { action: "wait", id: second });
    letGo("cells");
    const text = await waiting;
    expect(text.split("\n")[0]).toBe(
      `${second} is over: ok. ${third} is over: error (ZeroDivisionError: division by zero). ` +
        `${fourth} is over: skipped (a cell before it in the same call did not succeed).`,
    );
    expect(text).toContain("\n\n[cell 2/4: slow]\nend of cells\n[cell 3/4]\nTraceback (most recent call last):\n");
  });

  test("without an id, wait finds it also after its end; interrupt and look say that nothing runs", async () => {
    const early = await call("python", { cells: [{ code: waitFor("ended") }], timeout: 1 });
    const id = idIn(early);
    letGo("ended");
    await until("it is over", () => granary.execution(id)?.isOver ?? false);
    await call("python", { cells: [{ code: "'in between'" }] });
    expect(await call("executions", { action: "wait" })).toBe(`${id} is over: ok.\n\nend of ended`);
    for (const action of ["interrupt", "look"]) {
      const result = await tool("executions").run({ action });
      expect(textOf(result)).toBe(`Error: Nothing is running. The last that ran without its call: ${id}.`);
      expect(result.isError).toBe(true);
    }
  });

  test("runs of notebooks and cells that queue behind a run come after its last cell", async () => {
    const notebook = (name: string) => ["a", "b"].map((part) => `order.append("${name}${part}")`);
    writeFileSync(join(folder, "one.ipynb"), notebookText([waitFor("queue"), ...notebook("one ")]));
    writeFileSync(join(folder, "two.ipynb"), notebookText(notebook("two ")));
    const first = await call("notebook", { action: "run", path: "one.ipynb", timeout: 1 });
    const id = idIn(first);
    const second = await call("notebook", { action: "run", path: "two.ipynb", timeout: 1, queue: true });
    expect(second).toMatch(new RegExp(`^not begun yet: run-\\d+\\. It waits for ${id} \\(notebook run one`));
    expect(second).toContain("Note: It stays in the queue. executions");
    const third = call("python", { cells: [{ code: "order" }], queue: true });
    letGo("queue");
    expect(await third).toBe("['one a', 'one b', 'two a', 'two b']");
  });

  test("a restart drops runs of notebooks that wait, and is listed by name", async () => {
    writeFileSync(join(folder, "three.ipynb"), notebookText([waitFor("never"), "'after'"]));
    const first = idIn(await call("notebook", { action: "run", path: "three.ipynb", timeout: 1 }));
    const second = idIn(await call("notebook", { action: "run", path: "two.ipynb", timeout: 1, queue: true }));
    await call("kernels", { action: "restart" });
    expect([first, second].map((id) => granary.execution(id)?.status)).toEqual(["cancelled", "cancelled"]);
    expect(await call("executions", {})).toMatch(/\nrun-\d+ ok \(main\): restart$/);
  });

  test("verify is found without an id, does not claim to save, and fails if outputs differ", async () => {
    writeFileSync(join(folder, "stored.ipynb"), notebookText([waitFor("verify")]));
    const early = await call("notebook", { action: "verify", path: "stored.ipynb", timeout: 1 });
    expect(early).toMatch(/^still running: /);
    expect(early).not.toContain("saved");
    expect(await call("executions", { action: "look" })).toMatch(
      /: notebook verify stored\.ipynb, in its own kernel\n/,
    );
    letGo("verify");
    expect(await call("executions", { action: "wait" })).toMatch(/^run-\d+ is over: error\.\n\n1 of 1 cells? shows/);
  });
});
