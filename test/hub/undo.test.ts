import { afterAll, expect, test } from "vitest";
import { until } from "../kernel/until.ts";
import { agentHere } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

async function undo(...args: string[]): Promise<string> {
  const { stdout, stderr } = await hub.granary(["sessions", "undo", ...args]);
  return stdout + stderr;
}

test("sessions undo takes back the last cell, or all after a number; show lists the states, and an undo can be undone", async () => {
  for (const value of [1, 2, 3, 4]) await hub.run("etl", `x = ${value}`);
  expect(await undo("etl")).toBe(
    "Cell 4 was undone. Variables are as they were after cell 3. Files on disk stay as they are.\n",
  );
  expect(await hub.run("etl", "x")).toBe("3");
  const shown = await hub.granary(["sessions", "show", "etl"]);
  expect(shown.stdout).toMatch(/── run-\d+ · .* · cell 4 · undone\n> x = 4\n/);
  expect(shown.stdout).toMatch(
    /\ncheckpoints: after cell 1 \(\d+ s ago.*\), after cell 2 .*, after cell 3 .*, after cell 4 /,
  );
  const { stdout } = await hub.granary(["sessions", "undo", "etl", "--to", "1", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ restoredTo: 1, notices: [expect.stringContaining("after cell 1")] });
  expect(await hub.run("etl", "x")).toBe("1");
  const { session } = JSON.parse((await hub.granary(["sessions", "show", "etl", "--json"])).stdout);
  expect(session.checkpoints.map(({ cell }: { readonly cell: number }) => cell)).toContain(4);
});

test("the next result of an agent says that another client has undone its cell", async () => {
  await using agent = await agentHere(hub);
  const run = (code: string): Promise<string> => agent.call("python", { session: "both", cells: [{ code }] });
  await run("x = 1");
  await run("x = 2");
  expect(await undo("both")).toContain("Cell 2 was undone.");
  expect(await run("x")).toMatch(/^1\n[\s\S]*Note: Cell 2 was undone\. Variables are as they were after cell 1\./);
});

test("undo --to the last cell changes nothing, though an undone cell had its number", async () => {
  for (const code of ["a = 1", "b = 1"]) await hub.run("number", code);
  await undo("number");
  await hub.run("number", "b = 2");
  const { stdout, exitCode } = await hub.granary(["sessions", "undo", "number", "--to", "2", "--json"]);
  const already = "Variables are already as they were after cell 2.";
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { restoredTo: 2, notices: [already] }]);
  expect(await undo("number", "--to", "2")).toBe(`${already}\n`);
  expect(await hub.run("number", "b")).toBe("2");
});

test("each state is listed once, those of undone cells with their execution", async () => {
  for (const code of ["a = 1", "b = 1"]) await hub.run("states", code);
  await undo("states", "--to", "1");
  await undo("states", "--to", "2");
  await undo("states", "--to", "1");
  for (const code of ["b = 2", "b = 3"]) await hub.run("states", code);
  const { stdout } = await hub.granary(["sessions", "show", "states"]);
  const [, states = ""] = /^checkpoints: (.*)$/m.exec(stdout) ?? [];
  expect(states.replaceAll(/\d+ s ago(, \d+ MB)?/g, "…").replaceAll(/run-\d+/g, "run-N")).toBe(
    "after cell 1 (…), after cell 2 (run-N, undone, …), after cell 2 (…)",
  );
});

test("an undo of a cell without a checkpoint before it names the undo of all cells", async () => {
  // As in a notebook run, whose cells have few.
  const env = { GRANARY_PYTHON_CHECKPOINTS: "off" };
  await hub.granary(["run", "--session", "few", "-c", "a = 1", "-c", "b = 1"], { env });
  await hub.run("few", "c = 1");
  expect(await undo("few")).toContain("Cell 3 was undone.");
  expect(await undo("few")).toMatch(
    /Cell 2 cannot be undone: there is no checkpoint of an earlier state\. An undo to cell 0 \(--to 0, .*\) undoes all cells: .* after these cells: 2/,
  );
  expect(await undo("few", "--to", "0")).toContain("Variables are as they were before the first cell");
});

test("the next result of an agent names all cells that others have undone, in order", async () => {
  await using agent = await agentHere(hub);
  const run = (code: string): Promise<string> => agent.call("python", { session: "thrice", cells: [{ code }] });
  for (const value of [1, 2, 3, 4]) await run(`x = ${value}`);
  await hub.run("thrice", "x = 5");
  for (let times = 0; times < 3; times += 1) await undo("thrice");
  expect(await run("x")).toMatch(
    /^2\n[\s\S]*Note: Cell 5 was undone\. Cell 4 was undone\. Cell 3 was undone\. Variables are as they were after cell 2\./,
  );
});

test("the next result of an agent says that cells have run since an undo", async () => {
  await using agent = await agentHere(hub);
  const run = (code: string): Promise<string> => agent.call("python", { session: "since", cells: [{ code }] });
  for (const value of [1, 2, 3]) await run(`x = ${value}`);
  await undo("since");
  await hub.run("since", "x = 99");
  const result = await run("x");
  expect(result).toMatch(/^99\n[\s\S]*ran 1 cell: x = 99/);
  expect(result).toContain(
    "Cell 3 was undone. Variables went back to those after cell 2, and cells have run since. Files on disk stay as they are.",
  );
});

test("an agent cannot keep a branch when another client has run a cell in the session since", async () => {
  await using agent = await agentHere(hub);
  const python = (input: object): Promise<string> => agent.call("python", { session: "kept", ...input });
  await python({ cells: [{ code: "names = []" }] });
  await python({ branches: [{ title: "a", cells: ["names.append('a')"] }] });
  await hub.run("kept", "names.append('shell')");
  expect(await python({ keep: "a" })).toMatch(
    /Branch a has ended: session kept has moved on since\. granary run ran: names\.append\('shell'\)\nRun the branches again\./,
  );
  expect(await python({ cells: [{ code: "names" }] })).toMatch(/^\['shell'\]\n/);
  await python({ branches: [{ title: "b", cells: ["names.append('b')"] }] });
  expect(await python({ keep: "b" })).toContain("continues as branch b");
});

test("two undos at the same time take back two cells", async () => {
  for (const value of [1, 2, 3]) await hub.run("race", `x = ${value}`);
  const said = (await Promise.all([undo("race"), undo("race")])).join("");
  // The second may come while the first one is under way.
  expect(await hub.run("race", "x")).toBe(said.includes("is running") ? "2" : "1");
});

test("a crash in a kept session loses nothing", async () => {
  await hub.run("crash", "rows = [1, 2]");
  const { stderr, exitCode } = await hub.granary(["run", "--session", "crash", "-c", "import os; os.abort()"]);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining("Variables are as they were after cell 1.")]);
  expect(await hub.run("crash", "rows")).toBe("[1, 2]");
});

test("the settings of the client that uses the session decide, not those of the hub's first client", async () => {
  const env = { GRANARY_PYTHON_CHECKPOINTS: "off" };
  for (const code of ["x = 1", "x = 2"]) await hub.granary(["run", "--session", "off", "-c", code], { env });
  expect(await undo("off")).toContain("Checkpoints are off. Turn them on with the setting python.checkpoints.");
  const few = { GRANARY_PYTHON_CHECKPOINT_COPIES: "2" };
  for (const code of ["1", "2", "3", "4", "5"])
    await hub.granary(["run", "--session", "copies", "-c", code], { env: few });
  const { stdout } = await hub.granary(["sessions", "show", "copies", "--json"]);
  expect(JSON.parse(stdout).session.checkpoints).toHaveLength(2);
});

test("branches end when one is kept or their session runs something else, though sessions stay in the hub", async () => {
  const names = async (): Promise<readonly string[]> => (await hub.status())?.sessions.map(({ name }) => name) ?? [];
  await using agent = await agentHere(hub);
  const call = (args: object): Promise<string> => agent.call("python", { session: "tree", ...args });
  await call({ cells: [{ code: "x = 1" }] });
  await call({ branches: ["a", "b"].map((title) => ({ title, cells: [`x = '${title}'`] })) });
  expect(await names()).toEqual(expect.arrayContaining(["tree", "tree/a", "tree/b"]));
  await call({ keep: "b" });
  expect(await call({ cells: [{ code: "x" }] })).toBe("'b'");
  expect((await names()).filter((name) => name.startsWith("tree/"))).toEqual([]);
  await call({ branches: [{ title: "c", cells: ["x"] }] });
  await call({ cells: [{ code: "x" }] });
  expect((await names()).filter((name) => name.startsWith("tree"))).toEqual(["tree"]);
});

test("an undo that cannot be done says why", async () => {
  await hub.run("new", "x = 1");
  expect(await undo("new")).toContain("Cell 1 was undone.");
  expect(await undo("new")).toMatch(
    /There is nothing to undo\. There are checkpoints after these cells: 1 \(run-\d+, undone\)\./,
  );
  expect(await undo("new", "--to", "7")).toContain("There is no checkpoint after cell 7.");
  expect(await undo("new", "--to", "soon")).toContain("--to takes the number of the last cell to keep, not soon.");
  expect(await undo("nobody")).toContain("There is no session nobody in the hub.");
  expect(await undo()).toContain("granary sessions undo needs the name of a session.");
  await hub.granary(["run", "--session", "busy", "--background", "-c", "import time; time.sleep(60)"]);
  expect(await undo("busy")).toContain("A cell is running in busy.");
});

test.skipIf(process.platform !== "linux")(
  "look tells sleeping copies for undo from processes of the cell",
  async () => {
    await hub.run("asleep", "x = 1");
    await hub.run("asleep", "x = 2");
    const args = ["run", "--session", "asleep", "--background", "-c", "import time; time.sleep(600)"];
    expect((await hub.granary(args)).exitCode).toBe(0);
    let stdout = "";
    await until("it runs", async () => {
      ({ stdout } = await hub.granary(["look", "asleep"]));
      return stdout.includes("time.sleep(600)\n") && stdout.includes("CPU");
    });
    await hub.granary(["sessions", "interrupt", "asleep"]);
    expect(stdout).toMatch(/\nCPU .*, process \d+\n\d+ sleeping cop(y|ies) for undo, not counted here\n/);
    expect(stdout).not.toContain("a fork of");
  },
);
