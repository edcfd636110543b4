import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { wires } from "./connect.ts";
import { clientOf } from "./granary-mcp.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "granary-mcp-")));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const [wire] = wires;

test("pings are answered during a flood of odd output", async () => {
  if (wire === undefined) throw new Error("there is no wire");
  await using started = await clientOf({ cwd }, wire);
  const { client } = started;
  const code = `print("x" * 8000, end="")\nfor _ in range(40): print("\\b\\u0301\\u00e9" * 40_000)`;
  let isOver = false;
  let answered = 0;
  let isUnderWay = false;
  const call = client
    .callTool(
      { name: "python", arguments: { cells: [{ code }], timeout: 300 } },
      { timeout: 300_000, onprogress: () => (isUnderWay = true) },
    )
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    await client.ping();
    if (isUnderWay && !isOver) answered += 1;
  }
  expect((await call).isError).not.toBe(true);
  expect(answered).toBeGreaterThan(5);
});
