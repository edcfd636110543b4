import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Tool } from "../../../src/tools/definition/tool.ts";
import { createToolbox } from "../../../src/tools/toolbox.ts";
import { py } from "../../kernel/py.ts";
import { runtimeIn, temporaryFolder } from "../../runtime/runtimes.ts";
import { textOf } from "../contexts.ts";

const folder = temporaryFolder();

test("a function marked with @tool continues when its call has waited long enough, and its return value is not lost", async () => {
  await using granary = await runtimeIn(folder, { timeoutSeconds: 1 });
  await using toolbox = await createToolbox({ runtime: granary });
  const code = py`
    import os, time
    @tool
    def slow(number: int) -> int:
        """Doubles a number, slowly."""
        print("at work", flush=True)
        while not os.path.exists("enough"): time.sleep(0.005)
        return 2 * number
  `;
  await toolbox.find("python")?.run({ cells: [{ code }], timeout: 30 });
  const slow = toolbox.find("slow") as Tool;
  const early = await slow.run({ number: 21 });
  expect(textOf(early)).toMatch(/^still running: run-2, \d+ s so far\.\n\nat work\n\nNote: It continues/);
  expect(early.isError).toBe(false);
  expect(textOf(await slow.run({ number: 1 }))).toMatch(/^Error: Session main is busy: run-2 \(slow\(…\)\)/);
  writeFileSync(join(folder, "enough"), "");
  const late = await toolbox.find("executions")?.run({ action: "wait", id: "run-2", timeout: 60 });
  expect(textOf(late as never)).toBe("run-2 is over: ok.\n\nat work\nslow returned 42");
});
