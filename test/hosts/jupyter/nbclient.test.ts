import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { environment } from "../../environment/pythons.ts";
import { notebookOf } from "./notebook-of.ts";
import { openDoor } from "./open-door.ts";

const run = promisify(execFile);
const main = environment("main");
const script = fileURLToPath(new URL("nbclient_user.py", import.meta.url));

test.skipIf("missing" in main)("nbclient runs a notebook through Jupyter's own gateway client", async () => {
  const { python } = main as { python: string };
  const door = await openDoor();
  const path = join(door.folder, "work.ipynb");
  const cells = [
    "import os; os.path.basename(os.getcwd())",
    "print('text'); 6 * 7",
    "h = display('a', display_id=True)",
    "h.update('b')",
    "1 / 0",
    "input()",
  ];
  writeFileSync(path, JSON.stringify(notebookOf(cells)));
  const { stdout } = await run(python, [script, `http://127.0.0.1:${door.port}/token/${door.token}`, "door", path]);
  const { "work.ipynb": told } = JSON.parse(stdout);
  expect(told.door).toEqual([
    [expect.objectContaining({ output_type: "execute_result", execution_count: 1 })],
    [
      { output_type: "stream", name: "stdout", text: "text\n" },
      { output_type: "execute_result", data: { "text/plain": "42" }, metadata: {}, execution_count: 2 },
    ],
    [{ output_type: "display_data", data: { "text/plain": "'b'" }, metadata: {} }],
    [],
    [{ output_type: "error", ename: "ZeroDivisionError", evalue: "division by zero" }],
    [expect.objectContaining({ output_type: "error", ename: "StdinNotImplementedError" })],
  ]);
  expect(door.runtime.sessions).toEqual([]);
});
