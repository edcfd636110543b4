import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runNotebook } from "../../../src/execute/run-notebook.ts";
import type { NotebookListing, PageEditResult } from "../../../src/hosts/page/api/notebooks.ts";
import { editNotebookFile } from "../../../src/notebook/file/edit-notebook-file.ts";
import { temporaryFolder } from "../../runtime/runtimes.ts";
import { storedCell, writeNotebook } from "./notebook-files.ts";
import { NotebookReader } from "./notebook-reader.ts";
import { openPage } from "./open-page.ts";

const page = await openPage();
const agent = page.runtime.session("agent", { owner: "claude", label: "claude" });
await agent.run("x = 1").result;
const { sessions } = (await page.rest<{ sessions: readonly { id: string }[] }>("GET", "sessions")).body;
const session = sessions[0]?.id ?? "";

const cell = (id: string, source: string, type: "code" | "markdown" = "code") =>
  storedCell(id, source, { type, metadata: { kept: [1.0, "ü"] } });
const write = (name: string, cells: readonly object[]): string => writeNotebook(page.folder, name, cells);
const at = `sessions/${encodeURIComponent(session)}`;
const edit = (path: string, body: object) =>
  page.rest<PageEditResult>("POST", `${at}/notebook/edit`, { path, ...body });
const follow = (path: string): Promise<NotebookReader> => NotebookReader.open(page, session, path);

describe("a notebook in the page", () => {
  test("changes as the agent edits it, and is edited from the page with all other bytes unchanged", async () => {
    const path = write("plan.ipynb", [cell("a", "x = 1"), cell("b", "# Plan", "markdown"), cell("c", "x + 1")]);
    const before = readFileSync(path, "utf8");
    await using reader = await follow("plan.ipynb");
    expect(reader.cells.map(({ source }) => source)).toEqual(["x = 1", "# Plan", "x + 1"]);

    await editNotebookFile(path, [{ action: "edit", cell: "c", content: "x + 2" }]);
    await reader.until(() => reader.sources.at(-1) === "x + 2");
    expect(reader.lastChanged.map(({ key }) => key)).toEqual(["cell-c"]);
    await editNotebookFile(path, [{ action: "edit", cell: "c", content: "x + 1" }]);
    await reader.until(() => reader.sources.at(-1) === "x + 1");
    expect(readFileSync(path, "utf8")).toBe(before);

    const [first] = reader.cells;
    const done = await edit("plan.ipynb", { ...reader.editOf("cell-a", "x = 10") });
    expect(done.body).toMatchObject({ cell: "cell-a", conflict: null });
    expect(readFileSync(path, "utf8")).toBe(before.replace("x = 1", "x = 10"));
    await reader.until(() => reader.sources[0] === "x = 10");
    expect(reader.lastChanged.map(({ key }) => key)).toEqual(["cell-a"]);
    expect(reader.cells[0]?.revision).toBe(done.body.revision);
    expect(reader.cells[0]?.revision).not.toBe(first?.revision);
  });

  test("keeps both versions when the page and the agent have changed the same cell", async () => {
    const path = write("both.ipynb", [cell("a", "mine = 0"), cell("b", "other = 0")]);
    await using reader = await follow("both.ipynb");
    const mine = reader.editOf("cell-a", "mine = 1");
    const other = reader.editOf("cell-b", "other = 1");
    await editNotebookFile(path, [{ action: "edit", cell: "a", content: "theirs = 1" }]);

    expect((await edit("both.ipynb", other)).body).toMatchObject({ cell: "cell-b", conflict: null });
    const { body } = await edit("both.ipynb", mine);
    expect(body.conflict).toEqual({ theirs: "cell-a" });
    await reader.until(() => reader.sources.length === 3);
    expect(reader.sources).toEqual(["theirs = 1", "mine = 1", "other = 1"]);

    const versions = { mine: reader.named(body.cell ?? ""), theirs: reader.named("cell-a") };
    const stale = { ...versions, theirs: { cell: "cell-a", revision: mine.revision } };
    expect((await edit("both.ipynb", { action: "resolve", keep: "mine", ...stale })).status).toBe(409);
    await edit("both.ipynb", { action: "resolve", keep: "mine", ...versions });
    await reader.until(() => reader.sources.length === 2);
    expect(reader.sources).toEqual(["mine = 1", "other = 1"]);
    expect(reader.cells[0]?.key).toBe("cell-a");
  });

  test("keeps an edit of a cell that the agent has deleted", async () => {
    const path = write("gone.ipynb", [cell("a", "1"), cell("b", "2"), cell("c", "3")]);
    await using reader = await follow("gone.ipynb");
    const mine = reader.editOf("cell-b", "22");
    await editNotebookFile(path, [{ action: "delete", cell: "b" }]);
    expect((await edit("gone.ipynb", mine)).body.conflict).toEqual({ theirs: null });
    await reader.until(() => reader.sources.join() === "1,22,3");
    const refused = await edit("gone.ipynb", { action: "delete", cell: "cell-b", revision: mine.revision });
    expect(refused.status).toBe(409);
  });

  test("inserts, moves, clears, deletes and changes types; without ids as well", async () => {
    const old = [cell("", "1"), cell("", "1"), cell("", "text", "markdown")].map(({ id: _, ...rest }) => rest);
    const path = write("old.ipynb", old);
    writeFileSync(path, readFileSync(path, "utf8").replace('"nbformat_minor":5', '"nbformat_minor":4'));
    await using reader = await follow("old.ipynb");
    const [one = "", two = "", three = ""] = reader.cells.map(({ key }) => key);
    expect(new Set([one, two, three]).size).toBe(3);
    await edit("old.ipynb", reader.editOf(two, "2"));
    const { body } = await edit("old.ipynb", { action: "insert", after: two, cellType: "code", content: "3" });
    await edit("old.ipynb", { action: "move", cell: three, after: null });
    await reader.until(() => reader.sources.join() === "text,1,2,3");
    expect(reader.cells.map(({ key }) => key)).toEqual([three, one, two, body.cell]);
    await edit("old.ipynb", { action: "type", ...reader.named(two), cellType: "markdown" });
    await edit("old.ipynb", { action: "delete", ...reader.named(one) });
    await edit("old.ipynb", { action: "clear" });
    await reader.until(() => reader.sources.join() === "text,2,3");
    expect(reader.cells.map(({ type }) => type)).toEqual(["markdown", "markdown", "code"]);
    expect(readFileSync(path, "utf8")).not.toContain('"id"');
  });

  test("puts back a deleted cell with its outputs, its metadata and all bytes", async () => {
    const shown = storedCell("b", "2", { outputs: [{ output_type: "stream", name: "stdout", text: ["two\n"] }] });
    const path = write("undo.ipynb", [cell("a", "1"), shown, cell("c", "3")]);
    const before = readFileSync(path, "utf8");
    await using reader = await follow("undo.ipynb");
    await edit("undo.ipynb", { action: "delete", ...reader.named("cell-b") });
    expect(readFileSync(path, "utf8")).not.toContain("two");
    const back = { action: "put-back", cell: "cell-b", after: "cell-a" };
    expect((await edit("undo.ipynb", back)).body).toMatchObject({ cell: "cell-b", conflict: null });
    expect(readFileSync(path, "utf8")).toBe(before);
    await reader.until(() => reader.sources.join() === "1,2,3");
    expect((await edit("undo.ipynb", back)).status).toBe(409);
  });

  test("shows pictures that are attached to Markdown, and nothing else that is attached", async () => {
    const attachments = { "a b.png": { "image/png": "iVBORw0KGgo=" }, "x.html": { "text/html": "<script>" } };
    write("pictures.ipynb", [{ ...cell("a", "![x](attachment:a%20b.png)", "markdown"), attachments }]);
    await using reader = await follow("pictures.ipynb");
    expect(reader.cells[0]?.attachments).toEqual({ "a b.png": "data:image/png;base64,iVBORw0KGgo=" });
  });

  test("runs in the session, with live output that is then in the file", async () => {
    const code = "print('begin')\nname = input('Name? ')\nprint('hello', name, x)";
    const path = write("run.ipynb", [cell("a", code), cell("b", "1/0"), cell("c", "print('never')")]);
    await using reader = await follow("run.ipynb");
    await page.rest("POST", `${at}/notebook/run`, { path: "run.ipynb" });
    await reader.until(() => reader.runs[0]?.question?.prompt === "Name? ");
    expect(reader.runs.map(({ key, state }) => `${key} ${state}`)).toEqual([
      "cell-a running",
      "cell-b queued",
      "cell-c queued",
    ]);
    await page.rest("POST", `${at}/notebook/answer`, { path: "run.ipynb", text: "Ada" });
    await reader.until(() => reader.runs.length === 0);
    expect(reader.seen.some((event) => event.type === "text" && event.text.includes("begin"))).toBe(true);
    await reader.until(() => reader.cells[1]?.outputs[0]?.kind === "error");
    expect(readFileSync(path, "utf8")).toContain("hello Ada 1");
    expect(readFileSync(path, "utf8")).toContain("ZeroDivisionError");
    expect(reader.cells[2]?.outputs).toEqual([]);

    await edit("run.ipynb", { ...reader.editOf("cell-c", "import time\nwhile True: time.sleep(0.01)") });
    await page.rest("POST", `${at}/notebook/run`, { path: "run.ipynb", cells: ["cell-c"] });
    await reader.until(() => reader.runs[0]?.state === "running");
    await page.rest("POST", `${at}/notebook/interrupt`, { path: "run.ipynb" });
    await reader.until(() => reader.runs.length === 0);
    expect((await agent.run("name").result).output).toBe("'Ada'\n");
  });

  test("shows a run of the agent live: the cell that runs, its output, those that wait; also to a late reader", async () => {
    const waits = "print('epoch 1')\nimport time, pathlib\nwhile not pathlib.Path('go').exists(): time.sleep(0.01)";
    const path = write("agent.ipynb", [cell("a", waits), cell("b", "print('second')"), cell("c", "while True: pass")]);
    const before = readFileSync(path, "utf8");
    await using reader = await follow("agent.ipynb");
    const states = (): readonly string[] => reader.runs.map(({ key, by, state }) => `${key} ${state} by ${by}`);
    const run = runNotebook(agent, path);
    await reader.until(() => reader.seen.some((event) => event.type === "text" && event.cell === "cell-a"));
    expect(states()).toEqual(["cell-a running by claude", "cell-b queued by claude", "cell-c queued by claude"]);
    await using late = await follow("agent.ipynb");
    expect(late.cells[0]?.outputs).toMatchObject([{ kind: "text", text: "epoch 1\n" }]);
    expect(late.runs).toEqual(reader.runs);
    expect(readFileSync(path, "utf8")).toBe(before);

    writeFileSync(join(page.folder, "go"), "");
    await reader.until(() => states()[0] === "cell-c running by claude");
    await reader.until(() => reader.cells[1]?.outputs[0]?.kind === "text");
    await page.rest("POST", `${at}/notebook/interrupt`, { path: "agent.ipynb" });
    expect((await run).status).toBe("cancelled");
    await reader.until(() => reader.runs.length === 0 && reader.cells[2]?.outputs[0]?.kind === "error");
  });

  test("says that its file is deleted or half written, and goes on when it is back", async () => {
    const path = write("away.ipynb", [cell("a", "1")]);
    const whole = readFileSync(path, "utf8");
    await using reader = await follow("away.ipynb");
    writeFileSync(path, whole.slice(0, 40));
    await reader.until(() => reader.file === "unreadable");
    expect(reader.sources).toEqual(["1"]);
    writeFileSync(path, whole.replace('"1"', '"2"'));
    await reader.until(() => reader.file === "there" && reader.sources.join() === "2");
    rmSync(path);
    await reader.until(() => reader.file === "deleted");
    expect((await edit("away.ipynb", reader.editOf("cell-a", "3"))).status).toBe(409);
    await page.rest("POST", `${at}/notebook/save-again`, { path: "away.ipynb" });
    await reader.until(() => reader.file === "there");
    expect(readFileSync(path, "utf8")).toBe(whole.replace('"1"', '"2"'));
  });
});

describe("paths", () => {
  const outside = temporaryFolder();
  const secret = JSON.stringify({ cells: [cell("a", "secret")], metadata: {}, nbformat: 4, nbformat_minor: 5 });
  writeFileSync(join(outside, "secret.ipynb"), secret);
  symlinkSync(join(outside, "secret.ipynb"), join(page.folder, "link.ipynb"));
  symlinkSync(outside, join(page.folder, "linked"));
  writeFileSync(join(page.folder, "notes.txt"), "x");
  const away = `../${outside.split("/").at(-1)}/secret.ipynb`;
  const wrong = [
    ...[away, `sub/../${away}`, join(outside, "secret.ipynb"), "link.ipynb", "linked/secret.ipynb", "notes.txt"],
    ...["", ".ipynb\0.ipynb", "..", "none.ipynb", `..\\${away}`, "~/x.ipynb"],
  ];

  test.each(wrong)("%j is refused by every route", async (path) => {
    const events = await page.rest<{ message: string }>(
      "GET",
      `${at}/notebook/events?path=${encodeURIComponent(path)}`,
    );
    expect(events.status).toBe(409);
    const insert = { action: "insert", after: null, cellType: "code", content: "1" };
    for (const [name, body] of [
      ["edit", insert],
      ["run", {}],
      ["interrupt", {}],
      ["answer", {}],
      ["save-again", {}],
    ]) {
      expect((await page.rest("POST", `${at}/notebook/${name}`, { path, ...(body as object) })).status).toBe(409);
    }
    expect(readFileSync(join(outside, "secret.ipynb"), "utf8")).toBe(secret);
  });

  test("the list has the notebooks below the folder, without links and packages", async () => {
    for (const folder of ["deep/er", "node_modules/x", ".hidden"]) {
      mkdirSync(join(page.folder, folder), { recursive: true });
      writeFileSync(join(page.folder, folder, "n.ipynb"), secret);
    }
    const { body } = await page.rest<NotebookListing>("GET", `${at}/notebooks`);
    const names = body.notebooks.map(({ path }) => path);
    expect(names).toContain("plan.ipynb");
    expect(names.filter((name) => name.includes("/"))).toEqual(["deep/er/n.ipynb"]);
    expect(names).not.toContain("link.ipynb");
    expect(body.isCut).toBe(false);
  });
});
