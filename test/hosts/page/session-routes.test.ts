import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PageState, TableRows, VariableList } from "../../../src/hosts/page/api/variables.ts";
import { notebookText } from "../../execute/notebook-runs.ts";
import { temporaryFolder } from "../../runtime/runtimes.ts";
import { openPage } from "./open-page.ts";

const page = await openPage({ GRANARY_PYTHON_CHECKPOINTS: "auto" });
const agent = page.runtime.session("etl", { owner: "claude", label: "claude" });
await agent.run("rows = [{'city': 'Ulm', 'size': 9}, {'city': 'Bonn', 'size': 33}]\nmany = list(range(1000))").result;
const { body: listed } = await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions");
const at = `sessions/${listed.sessions[0]?.id}`;

test("variables are listed, and their rows can be read in any order, without a trace in the history", async () => {
  const { body } = await page.rest<VariableList>("GET", `${at}/variables`);
  expect(body.variables.map(({ name }) => name)).toEqual(["rows", "many"]);
  const rows = await page.rest<TableRows>("POST", `${at}/rows`, { name: "rows" });
  expect(rows.body).toMatchObject({
    columns: ["city", "size"],
    rows: [
      ["Ulm", "9"],
      ["Bonn", "33"],
    ],
    total: 2,
  });
  const some = await page.rest<TableRows>("POST", `${at}/rows`, { name: "many", start: 990, count: 5 });
  expect(some.body).toMatchObject({ index: ["990", "991", "992", "993", "994"], total: 1000 });
  const { notices, executionCount } = await agent.run("1").result;
  expect({ notices, executionCount }).toEqual({ notices: [], executionCount: 2 });
});

test("rows of what is no table, of no variable or of code are refused with a sentence", async () => {
  for (const name of ["rows[0]", "__import__('os')", "none", "", "rows; x = 1"]) {
    const { status, body } = await page.rest<{ message: string }>("POST", `${at}/rows`, { name });
    expect([name, status, body.message]).toEqual([name, 409, expect.stringMatching(/\w/)]);
  }
  const { body } = await page.rest<VariableList>("GET", `${at}/variables`);
  expect(body.variables.map(({ name }) => name)).toEqual(["rows", "many"]);
});

test("while a cell runs, rows wait for its end, and look shows its line", async () => {
  const running = agent.run("import time\ntime.sleep(600)");
  await running[Symbol.asyncIterator]().next();
  expect((await page.rest("POST", `${at}/rows`, { name: "rows" })).status).toBe(409);
  let text = "";
  for (let tries = 0; !text.includes("time.sleep(600)") && tries < 200; tries++) {
    const { body } = await page.rest<{ text: string | null }>("GET", `${at}/look`);
    text = body.text ?? "";
  }
  expect(text).toContain("time.sleep(600)");
  await page.rest("POST", `${at}/interrupt`);
  expect((await running.result).status).toBe("cancelled");
  expect((await page.rest<{ text: null }>("GET", `${at}/look`)).body.text).toBeNull();
});

test("the last cell can be undone, a state restored, and a branch made", async () => {
  await agent.run("rows.append(1)").result;
  await agent.run("rows.append(2)").result;
  const { body } = await page.rest<{ states: readonly PageState[] }>("GET", `${at}/states`);
  expect(body.states.length).toBeGreaterThan(1);
  expect((await page.rest("POST", `${at}/restore`, {})).status).toBe(200);
  expect((await agent.run("len(rows)").result).output).toBe("3\n");
  const first = body.states[0] as PageState;
  await page.rest("POST", `${at}/restore`, { state: first.id });
  expect((await agent.run("len(rows)").result).output).toBe("2\n");
  expect((await page.rest<{ message: string }>("POST", `${at}/restore`, { state: "none" })).body.message).toContain(
    "none",
  );

  const branch = await page.rest<{ id: string }>("POST", `${at}/branch`, { name: "variant" });
  expect(branch.body).toEqual({ id: expect.stringContaining("variant") });
  const rows = await page.rest<TableRows>("POST", `sessions/${branch.body.id}/rows`, { name: "rows" });
  expect(rows.body).toMatchObject({ total: 2 });
});

test("the cells can be saved as a notebook in the session's folder, and nowhere else", async () => {
  const saved = await page.rest<{ path: string }>("POST", `${at}/save`, { file: "etl.ipynb" });
  expect(saved.body.path).toBe(join(page.folder, "etl.ipynb"));
  const text = readFileSync(saved.body.path, "utf8");
  // Both were undone above.
  expect([text.includes("len(rows)"), text.includes("rows.append")]).toEqual([true, false]);
  expect((await page.rest("POST", `${at}/save`, { file: "etl.ipynb" })).status).toBe(409);
  expect((await page.rest("POST", `${at}/save`, { file: "etl.ipynb", overwrite: true })).status).toBe(200);
  for (const file of ["../up.ipynb", "/tmp/x.ipynb", "x.py", "", 1]) {
    expect((await page.rest("POST", `${at}/save`, { file })).status).toBe(400);
  }
  expect(existsSync(join(page.folder, "../up.ipynb"))).toBe(false);
});

test("a folder of a session that became a link is not saved into", async () => {
  const [sub, outside] = [join(page.folder, "sub"), temporaryFolder()];
  mkdirSync(sub);
  const session = page.runtime.session("below", { cwd: sub, owner: "claude" });
  await session.run("evil = 1").result;
  const { body } = await page.rest<{ sessions: readonly { id: string; name: string }[] }>("GET", "sessions");
  const id = body.sessions.find(({ name }) => name === "below")?.id;
  renameSync(sub, `${sub}-kept`);
  symlinkSync(outside, sub);
  const saved = await page.rest<{ message: string }>("POST", `sessions/${id}/save`, { file: "profile.ipynb" });
  expect([saved.status, saved.body.message]).toEqual([409, expect.stringContaining("no other folder is allowed")]);
  writeFileSync(join(outside, "theirs.ipynb"), notebookText(["'secret'"]));
  const shown = await page.rest<{ message: string }>("GET", `sessions/${id}/notebook/events?path=theirs.ipynb`);
  expect([shown.status, shown.body.message]).toEqual([409, expect.stringContaining("no other folder is allowed")]);
  expect(readdirSync(outside)).toEqual(["theirs.ipynb"]);
});

test("a long output can be read from its beginning to its end, in parts of whole lines", async () => {
  const { truncation } = await agent.run("for n in range(60000): print('line', n, 'ü')").result;
  const id = truncation?.artifact?.replace("artifact://", "");
  let [text, from, parts] = ["", 0, 0];
  for (let bytes = 1; from < bytes; parts++) {
    const { body } = await page.rest<{ text: string; from: number; to: number; bytes: number }>(
      "GET",
      `artifacts/${id}?from=${from}`,
    );
    expect(body.from).toBe(from);
    text += body.text;
    [from, bytes] = [body.to, body.bytes];
  }
  expect(parts).toBeGreaterThan(3);
  expect(text).toBe(Array.from({ length: 60_000 }, (_, n) => `line ${n} ü\n`).join(""));
  const middle = await page.rest<{ text: string }>("GET", `artifacts/${id}?from=12345`);
  expect(middle.body.text).toMatch(/^line \d+ ü\n/);
  expect((await page.rest("GET", "artifacts/none-1-1")).status).toBe(409);
  expect((await page.rest("GET", "artifacts/..%2f..%2fetc")).status).toBe(409);
});

test("a reset of a session that others use needs force, and a stop ends its Python", async () => {
  expect((await page.rest("POST", `${at}/reset`)).status).toBe(409);
  expect((await page.rest("POST", `${at}/reset`, { force: true })).status).toBe(204);
  expect((await page.rest("POST", `${at}/stop`)).status).toBe(204);
  expect((await page.rest("POST", `${at}/run`, { code: "1" })).status).toBe(409);
});
