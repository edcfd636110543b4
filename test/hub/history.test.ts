import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { repetitions } from "../environment/variants.ts";
import { until } from "../kernel/until.ts";
import { agentHere } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

interface SavedCell {
  readonly source: readonly string[] | string;
  readonly metadata: { readonly tags?: readonly string[] };
  readonly outputs: readonly unknown[];
}

function cellsIn(file: string): readonly SavedCell[] {
  return (JSON.parse(readFileSync(join(hub.folder, file), "utf8")) as { readonly cells: readonly SavedCell[] }).cells;
}

const sources = (file: string): readonly string[] => cellsIn(file).map(({ source }) => [source].flat().join(""));

async function save(session: string, file: string, ...options: string[]): Promise<string> {
  const { stdout, stderr } = await hub.granary(["sessions", "save", session, file, "--overwrite", ...options]);
  return stdout + stderr;
}

const undo = (...args: string[]) => hub.granary(["sessions", "undo", ...args]);

async function shown(session: string): Promise<readonly { readonly code: string; readonly undone?: string }[]> {
  return JSON.parse((await hub.granary(["sessions", "show", session, "--json"])).stdout).history;
}

async function undoneIn(session: string): Promise<readonly (readonly [string, string])[]> {
  return (await shown(session)).flatMap(({ code, undone }) => (undone === undefined ? [] : [[code, undone] as const]));
}

test("a saved notebook leaves out the cells that were undone, unless all are wanted; a redo brings them back", async () => {
  for (const code of ["x = 1", "x = 2", "x = 3"]) await hub.run("etl", code);
  await undo("etl", "--to", "1");
  await hub.run("etl", "y = x");
  expect(await save("etl", "etl.ipynb")).toMatch(
    /^Saved 2 cells to .*etl\.ipynb\. It leaves out 2 cells that were undone; --all keeps them\.\n$/,
  );
  expect(sources("etl.ipynb")).toEqual(["x = 1", "y = x"]);
  expect(await save("etl", "etl.ipynb", "--all")).toMatch(/^Saved 4 cells to .*etl\.ipynb\.\n$/);
  expect(cellsIn("etl.ipynb").map(({ metadata }) => metadata.tags)).toEqual([
    undefined,
    ["undone", "skip-execution"],
    ["undone", "skip-execution"],
    undefined,
  ]);
  await undo("etl", "--to", "3");
  expect(await undoneIn("etl")).toEqual([["y = x", "undo"]]);
  await save("etl", "etl.ipynb");
  expect(sources("etl.ipynb")).toEqual(["x = 1", "x = 2", "x = 3"]);
});

test("the history has a program as people would run it again, and a saved notebook runs it", async () => {
  writeFileSync(join(hub.folder, "step.py"), "import sys\nrows = [n * 2 for n in base]\nprint(sys.argv[1:])\n");
  await hub.run("program", "base = [1, 2]");
  const { stdout } = await hub.granary(["run", "--session", "program", "step.py", "a b", "*.py", "--fast"]);
  expect(stdout).toBe("['a b', '*.py', '--fast']\n");
  await hub.granary(["run", "--session", "program", "-m", "this", "-v"]);
  const typed = ["base = [1, 2]", "%run -G -i step.py 'a b' '*.py' --fast", "%run -m this -- -v"];
  expect((await shown("program")).map(({ code }) => code)).toEqual(typed);
  const all = await Promise.all([
    hub.granary(["sessions", "show", "program"]),
    hub.granary(["sessions"]),
    hub.granary(["look", "program"]),
  ]);
  expect(all.map((each) => each.stdout).join("")).not.toMatch(/a2b_base64|granary_runner/);
  await save("program", "program.ipynb");
  expect(sources("program.ipynb")).toEqual(typed);
  const ran = await hub.granary(["notebook", "run", "program.ipynb"], { env: { GRANARY_HUB: "never" } });
  expect([ran.exitCode, ran.stderr]).toEqual([0, expect.any(String)]);
  expect(JSON.stringify(cellsIn("program.ipynb")[1]?.outputs)).toContain("['a b', '*.py', '--fast']");
});

test("a saved notebook has the outputs as they were: values, both streams, displays and errors", async () => {
  const codes = [
    "import sys; rows = [1, 2]",
    "print('out'); print('err', file=sys.stderr); rows",
    "from IPython.display import display; bundle = {'text/html': '<b>bold</b>', 'text/plain': 'bold'}",
    "display(bundle, raw=True)",
    "class Table:\n    def _repr_html_(self): return '<table></table>'\n    def __repr__(self): return 'table'\nTable()",
    "1 / 0",
  ];
  for (const code of codes) await hub.granary(["run", "--session", "kinds", "-c", code]);
  await save("kinds", "kinds.ipynb");
  expect(cellsIn("kinds.ipynb").map(({ outputs }) => outputs)).toMatchObject([
    [],
    [
      { output_type: "stream", name: "stdout", text: ["out\n"] },
      { output_type: "stream", name: "stderr", text: ["err\n"] },
      { output_type: "execute_result", execution_count: 2, data: { "text/plain": ["[1, 2]"] } },
    ],
    [],
    [{ output_type: "display_data", data: { "text/html": ["<b>bold</b>"], "text/plain": ["bold"] } }],
    [{ output_type: "execute_result", data: { "text/plain": ["table"] } }],
    [{ output_type: "error", ename: "ZeroDivisionError", evalue: "division by zero" }],
  ]);
  const verified = await hub.granary(["notebook", "verify", "kinds.ipynb"], { env: { GRANARY_HUB: "never" } });
  expect([verified.exitCode, verified.stdout + verified.stderr]).toEqual([0, expect.stringMatching(/6 cells/)]);
  const { stdout } = await hub.granary(["sessions", "show", "kinds"]);
  expect(stdout).toMatch(/\nout\nerr\n\[1, 2\]\n/);
  expect(stdout).toMatch(/\nbold\n[\s\S]*\nZeroDivisionError: division by zero\n/);
});

test("the cells of a notebook that ran in a session have their outputs in its history", async () => {
  const cells = ["x = 20", "print('from a notebook')\nx + 1"].map((source, index) => ({
    ...{ cell_type: "code", id: `c${index}`, source, metadata: {}, outputs: [], execution_count: null },
  }));
  const path = join(hub.folder, "run.ipynb");
  writeFileSync(path, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
  await hub.granary(["notebook", "run", "run.ipynb", "--session", "book"]);
  await using agent = await agentHere(hub);
  await agent.call("notebook", { action: "run", path, session: "book" });
  await save("book", "book.ipynb");
  const outputs = [
    { output_type: "stream", name: "stdout", text: ["from a notebook\n"] },
    { output_type: "execute_result", data: { "text/plain": ["21"] } },
  ];
  expect(cellsIn("book.ipynb").map((cell) => cell.outputs)).toMatchObject([[], outputs, [], outputs]);
  expect((await hub.granary(["sessions", "show", "book"])).stdout).toMatch(/\nfrom a notebook\n21\n/);
});

test("cells from before a restart, a stop or an end of the hub are marked, and left out of a saved notebook", async () => {
  const left = (cells: string): RegExp =>
    new RegExp(`^Saved 1 cell to .*\\. It leaves out ${cells} from before a restart; --all keeps (it|them)\\.\n$`);
  await hub.run("again", "x = 1");
  await hub.granary(["run", "--session", "again", "--reset", "-c", "y = 2"]);
  expect(await undoneIn("again")).toEqual([["x = 1", "restart"]]);
  expect((await hub.granary(["sessions", "show", "again"])).stdout).toMatch(/ · before a restart\n> x = 1\n/);
  expect(await save("again", "again.ipynb")).toMatch(left("1 cell"));
  expect(sources("again.ipynb")).toEqual(["y = 2"]);
  await hub.granary(["sessions", "stop", "again"]);
  await save("again", "again.ipynb");
  expect(sources("again.ipynb")).toEqual(["y = 2"]);
  await hub.run("again", "z = 3");
  expect(await save("again", "again.ipynb")).toMatch(left("2 cells"));
  await hub.granary(["hub", "stop", "--force"]);
  await hub.run("again", "w = 4");
  expect(await save("again", "again.ipynb")).toMatch(left("3 cells"));
  await save("again", "again.ipynb", "--all");
  expect(cellsIn("again.ipynb").map(({ metadata }) => metadata.tags)).toEqual([
    ...[1, 2, 3].map(() => ["before-restart", "skip-execution"]),
    undefined,
  ]);
  await hub.run("again", "v = 5");
  await undo("again");
  expect(await save("again", "again.ipynb")).toContain(
    "It leaves out 1 cell that was undone and 3 cells from before a restart; --all keeps them.",
  );
});

test("sessions counts and names cells that were not undone, and show names the option for earlier ones", async () => {
  const facts = async () => JSON.parse((await hub.granary(["sessions", "show", "count", "--json"])).stdout);
  await using agent = await agentHere(hub);
  const call = (args: object): Promise<string> => agent.call("python", { session: "count", ...args });
  await call({ cells: Array.from({ length: 9 }, (_, index) => ({ code: `x${index} = 1` })) });
  await call({ branches: [{ title: "a", cells: ["kept = 1"] }], keep: "a" });
  await call({ cells: [{ code: "undone = 1" }] });
  await agent.call("kernels", { action: "undo", session: "count" });
  const { session, history } = await facts();
  expect([history.length, session.cells, session.lastCell]).toEqual([11, 10, "kept = 1"]);
  const { stdout } = await hub.granary(["sessions", "show", "count"]);
  expect(stdout).toContain("\n… 1 earlier cell: granary sessions show count --all\n");
  expect(stdout).not.toContain("> x0 = 1");
  expect((await hub.granary(["sessions", "show", "count", "--all"])).stdout).toContain("> x0 = 1");
});

test("a crash marks the cells that are not in the restored state, and a cell that raised can be run again", async () => {
  await hub.run("crash", "rows = [1]");
  await hub.granary(["run", "--session", "crash", "-c", "rows.append(2); 1 / 0"]);
  await hub.granary(["run", "--session", "crash", "-c", "rows.append(3); import os; os.abort()"]);
  expect(await undoneIn("crash")).toEqual([["rows.append(3); import os; os.abort()", "crash"]]);
  const { stdout } = await hub.granary(["sessions", "show", "crash"]);
  expect(stdout).toMatch(
    / · failed · undone by a crash\n> rows\.append\(3\).*\nPython (crashed|was ended by) .*SIGABRT/,
  );
  expect(await hub.run("crash", "rows")).toBe("[1, 2]");
  await save("crash", "crash.ipynb");
  expect(cellsIn("crash.ipynb").map(({ metadata }) => metadata.tags)).toEqual([
    undefined,
    ["raises-exception"],
    undefined,
  ]);
});

test("the history of a branch has the cells that led to it; keeping it undoes those that are not its own", async () => {
  await using agent = await agentHere(hub);
  const call = (args: object): Promise<string> => agent.call("python", { session: "tree", ...args });
  await call({ cells: [{ code: "x = [1]" }] });
  await call({ cells: [{ code: "x.append('undone')" }] });
  await agent.call("kernels", { action: "undo", session: "tree" });
  await call({ branches: ["a", "b"].map((title) => ({ title, cells: [`x.append('${title}')`] })) });
  await save("tree/a", "a.ipynb");
  expect(sources("a.ipynb")).toEqual(["x = [1]", "x.append('a')"]);
  await call({ keep: "b" });
  expect(await call({ cells: [{ code: "x" }] })).toBe("[1, 'b']");
  await save("tree", "tree.ipynb");
  expect(sources("tree.ipynb")).toEqual(["x = [1]", "x.append('b')", "x"]);
  // The same name again: its first cells are those of an earlier branch.
  await call({ branches: [{ title: "a", cells: ["x.append('second')"] }] });
  await save("tree/a", "a.ipynb");
  expect(sources("a.ipynb")).toEqual(["x = [1]", "x.append('b')", "x", "x.append('second')"]);
  expect(await agent.call("executions", {})).toMatch(/run-\d+ ok, undone \(tree\): x\.append\('undone'\)/);
});

test("a history of an earlier version is read as before", async () => {
  const folder = join(hub.home, "hub/history");
  mkdirSync(folder, { recursive: true });
  const cell = {
    by: "console",
    at: "2026-01-01T00:00:00.000Z",
    status: "ok",
    durationMs: 1,
    generation: 1,
    outputs: [],
  };
  const lines = [
    { name: "old", folder: hub.folder },
    { ...cell, id: "run-1", code: "a = 1", executionCount: 1 },
    { ...cell, id: "run-2", code: "b = 2", executionCount: 2 },
  ];
  writeFileSync(join(folder, "old-1.jsonl"), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"id":"ru`);
  expect((await shown("old")).map(({ code }) => code)).toEqual(["a = 1", "b = 2"]);
  expect(await save("old", "old.ipynb")).toMatch(/^Saved 2 cells/);
});

test("a file that exists, or is a folder, is wrong usage, and the remedy names the option", async () => {
  await hub.run("there", "x = 1");
  writeFileSync(join(hub.folder, "there.ipynb"), "");
  mkdirSync(join(hub.folder, "folder.ipynb"));
  const saving = (...args: string[]) => hub.granary(["sessions", "save", "there", ...args]);
  expect(await saving("there.ipynb")).toMatchObject({
    exitCode: 2,
    stderr: "granary: there.ipynb exists already. Add --overwrite, or choose another name.\n",
  });
  const isFolder = { exitCode: 2, stderr: "granary: folder.ipynb is a folder. Name a file in it.\n" };
  expect(await saving("folder.ipynb", "--overwrite")).toMatchObject(isFolder);
});

test("show has a line for an undo, whose id would be missing between those of cells", async () => {
  await hub.run("acts", "x = 1");
  await hub.run("acts", "x = 2");
  await undo("acts");
  await hub.run("acts", "x = 3");
  const { stdout } = await hub.granary(["sessions", "show", "acts"]);
  const heads = [...stdout.matchAll(/^── run-(\d+) .*/gm)];
  expect(heads.map(([head]) => head.split(" · ").slice(3).join(" · "))).toEqual([
    "cell 1",
    "cell 2 · undone",
    "undo",
    "cell 2",
  ]);
  const ids = heads.map(([, id]) => Number(id));
  expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
  expect((await shown("acts")).map(({ code }) => code)).toEqual(["x = 1", "x = 2", "x = 3"]);
});

test("sessions that have ended are listed with --all, and their histories can be deleted", async () => {
  await using own = new TestHub();
  const sessions = (...args: string[]) => own.granary(["sessions", ...args]);
  await own.run("old", "x = 'first line'\ny = 2");
  expect(await sessions("delete", "old")).toMatchObject({
    exitCode: 2,
    stderr: "granary: The session old is alive, and needs its history. End it first: granary sessions stop old\n",
  });
  await own.granary(["hub", "stop"]);
  expect((await sessions()).stdout).toBe(
    "There are no sessions. This starts one: granary run --session NAME -c CODE\nEnded sessions: granary sessions --all\n",
  );
  expect((await sessions("--all")).stdout).toMatch(
    new RegExp(`^old +ended .* ago +x = 'first line' +${own.folder}$`, "m"),
  );
  expect((await sessions("--all", "--quiet")).stdout).toBe("old\n");
  expect(JSON.parse((await sessions("--all", "--json")).stdout)).toMatchObject({
    sessions: [],
    ended: [{ name: "old", folder: own.folder, cells: 1, lastCell: "x = 'first line'" }],
  });
  expect((await sessions("delete", "old")).stdout).toBe("Deleted the history of the session old: 1 cell.\n");
  expect((await sessions()).stdout).not.toContain("--all");
  expect((await sessions("delete", "old")).exitCode).toBe(2);
});

test("a history whose file was deleted begins again with the next cell", async () => {
  await using own = new TestHub();
  await own.run("again", "x = 1");
  // The hub answers when the cell is on disk.
  await own.granary(["sessions", "show", "again"]);
  rmSync(join(own.home, "hub/history"), { recursive: true });
  await own.run("again", "x = 2");
  const { history } = JSON.parse((await own.granary(["sessions", "show", "again", "--json"])).stdout);
  expect(history.map(({ code }: { readonly code: string }) => code)).toEqual(["x = 2"]);
});

test.each([
  [
    ["list", "--cwd", "/"],
    "--cwd is for granary sessions show, interrupt, undo, stop, save, delete, and not for list.",
  ],
  [["stop", "x", "--to", "1"], "--to is for granary sessions undo, and not for stop."],
  [["--quiet", "--json"], "Give one of --quiet and --json."],
])("granary sessions %j is wrong usage", async (args, sentence) => {
  const { stderr, exitCode } = await hub.granary(["sessions", ...args]);
  expect([stderr, exitCode]).toEqual([`granary: ${sentence}\n`, 2]);
});

test("an empty cell counts, so the history shows it, and an undo takes it back", async () => {
  await hub.run("empty", "x = 1");
  await hub.run("empty", "");
  expect((await shown("empty")).map(({ code }) => code.trim())).toEqual(["x = 1", ""]);
  expect((await undo("empty")).stdout).toContain("Cell 2 was undone");
  expect((await undoneIn("empty")).map(([code, by]) => [code.trim(), by])).toEqual([["", "undo"]]);
});

type Step = { readonly kind: "run" | "undo" | "to" | "branch"; readonly value: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ kind: fc.constantFrom("run", "run", "run", "undo", "to", "branch"), value: fc.nat(99) }),
  { minLength: 3, maxLength: 9 },
);

/** Each depends on those before it; one raises, one ends Python. */
function codeOf(value: number): string {
  const codes = [
    `log = [*globals().get("log", []), ${value}]`,
    `last = (${value}, globals().get("last"))`,
    `log = [*globals().get("log", []), "raised"]; raise ValueError(${value})`,
    `log = []; import os; os.abort()`,
  ];
  return codes[value % 10 < 7 ? value % 2 : value % 10 < 9 ? 2 : 3] ?? "";
}

const probe = 'globals().get("log"), globals().get("last")';

test("the saved notebook, run in a fresh kernel, makes the variables of the session, whatever was undone, restored or branched", async () => {
  await using agent = await agentHere(hub, { env: { ...hub.env, GRANARY_PYTHON_CHECKPOINTS: "always" } });
  let count = 0;
  const property = fc.asyncProperty(steps, async (program) => {
    const session = `program-${++count}`;
    const python = (args: object): Promise<string> => agent.call("python", { session, ...args });
    for (const { kind, value } of program) {
      if (kind === "run") await python({ cells: [{ code: codeOf(value) }] });
      // Some of them have no state to go to.
      else if (kind === "undo") await agent.call("kernels", { action: "undo", session });
      else if (kind === "to") await agent.call("kernels", { action: "undo", to: value % 6, session });
      else {
        const branches = ["a", "b"].map((title) => ({ title, cells: [codeOf(value % 7)] }));
        await python({ branches, ...(value % 2 === 0 && { keep: "b" }) });
      }
    }
    await python({ cells: [{ code: probe }] });
    await save(session, "program.ipynb");
    const { exitCode, stderr } = await hub.granary(["notebook", "run", "program.ipynb", "--out", "again.ipynb"]);
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    const text = (file: string): unknown => readableOutput(cellsIn(file).at(-1));
    expect(text("again.ipynb")).toEqual(text("program.ipynb"));
  });
  await fc.assert(property, { numRuns: repetitions(30), endOnFailure: true });
}, 600_000);

/** The text of the last expression: printed in a history, a result in a run. */
function readableOutput(cell: SavedCell | undefined): string {
  const [output] = (cell?.outputs ?? []) as readonly {
    readonly text?: unknown;
    readonly data?: Record<string, unknown>;
  }[];
  const text = output?.text ?? output?.data?.["text/plain"];
  return [text].flat().join("").trim();
}

test("lines of a history that are no entries are left out and counted, and other sessions are not affected", async () => {
  await hub.run("damaged", "d = 1");
  await hub.run("intact", "i = 1");
  await hub.granary(["sessions", "save", "damaged", "settled.ipynb"]);
  const histories = join(hub.home, "hub/history");
  const [file = ""] = readdirSync(histories).filter((name) => name.startsWith("damaged-"));
  const path = join(histories, file);
  const lines = ["null", "5", '"x"', "[]", '{"mark":"undone"}', '{"mark":"live","cells":[1]}', '{"code":"a"}', "{"];
  appendFileSync(path, `${lines.join("\n")}\n`);
  writeFileSync(join(histories, "odd-000000000000.jsonl"), 'null\n{"mark":"restart","at":"x"}\n');
  const { stdout, stderr, exitCode } = await hub.granary(["sessions", "show", "damaged"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(stdout).toContain("Left out of the history: 8 damaged lines.");
  expect(stdout).toContain("> d = 1");
  expect(await save("damaged", "damaged.ipynb")).toContain("Saved 1 cell to");
  expect(await save("intact", "intact.ipynb")).toContain("Saved 1 cell to");
  expect((await hub.granary(["sessions", "show", "intact"])).stdout).not.toContain("damaged");
});

test("a session that runs its first cell has nothing to save yet, and the command says so", async () => {
  const file = join(hub.folder, "go-on");
  const code = `import os, time\nprint("begun", flush=True)\nwhile not os.path.exists(${JSON.stringify(file)}): time.sleep(0.02)`;
  const client = hub.start(["run", "--session", "first", "-c", code]);
  await client.untilOutput("begun");
  expect(await save("first", "first.ipynb")).toContain("No cell of the session first has ended yet");
  writeFileSync(file, "");
  await client.finished;
  expect(await save("first", "first.ipynb")).toContain("Saved 1 cell to");
});

test("a cell that was running when the hub was killed is in the history, marked as lost", async () => {
  await using other = new TestHub();
  await other.run("etl", "a = 1");
  const file = join(other.folder, "begun");
  const code = `open(${JSON.stringify(file)}, "w").close()\nimport time\nwhile True: time.sleep(0.1)`;
  const client = other.start(["run", "--session", "etl", "-c", code]);
  const histories = join(other.home, "hub/history");
  const names = () => (existsSync(histories) ? readdirSync(histories) : []);
  const text = () => names().map((name) => readFileSync(join(histories, name), "utf8"));
  await until("the history has the cell", () => text().join("").includes('"begun"'));
  const running = JSON.parse((await other.granary(["sessions", "show", "etl", "--json"])).stdout).history;
  expect(running.map(({ code }: { readonly code: string }) => code)).toEqual(["a = 1"]);
  process.kill(other.record.pid, "SIGKILL");
  await client.finished;
  const { stdout } = await other.granary(["sessions", "show", "etl", "--json"]);
  expect(JSON.parse(stdout).history).toMatchObject([
    { code: "a = 1", status: "ok" },
    { code, status: "failed", undone: "crash", failure: { code: "hub-gone" } },
  ]);
});
