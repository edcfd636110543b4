import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { newestPython } from "../environment/pythons.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();

test("a kernel can be started before the first cell, which does not notice", async () => {
  await using granary = await runtimeIn(folder);
  const session = granary.session();
  const started = await session.start().result;
  expect([started.status, session.shared.life, started.executionCount]).toEqual(["ok", "ready", null]);
  const first = await session.run("6 * 7").result;
  expect([first.output.trim(), first.executionCount, first.ledger]).toEqual([
    "42",
    1,
    { generation: 1, state: "alive", reason: null },
  ]);
});

test("the result has the reason for a missing kernel", async () => {
  await using granary = await runtimeIn(folder, { interpreter: "/nowhere/python3" });
  const { status, failure } = await granary.session().start().result;
  expect(status).toBe("failed");
  expect(failure?.message).toContain("/nowhere/python3");
});

test("a session starts without the modules that its first cell may never need", async () => {
  const { path } = newestPython();
  const names =
    "import sys; print(*(name for name in ('re', 'enum', 'json', 'inspect', 'asyncio') if name in sys.modules))";
  const bare = execFileSync(path, ["-c", names], { encoding: "utf8" });
  await using granary = await runtimeIn(folder, { interpreter: path });
  const { output } = await granary.session().run(names).result;
  expect(output.trim()).toBe(bare.trim());
});
