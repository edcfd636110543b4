import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { HubFacts } from "../../src/hub/session-facts.ts";
import { environment } from "../environment/pythons.ts";
import { until } from "../kernel/until.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

test("a session keeps its variables from command to command, and says once that it is new", async () => {
  const first = await hub.granary(["run", "--session", "etl", "-c", "rows = [3, 4]"]);
  expect(first).toMatchObject({ exitCode: 0, stderr: "granary: The session etl is new; it stays in the hub.\n" });
  expect(await hub.granary(["run", "--session", "etl", "-c", "sum(rows)"])).toEqual({
    exitCode: 0,
    stdout: "7\n",
    stderr: "",
  });
});

test("a new session says where another one of its name lives", async () => {
  const folder = join(hub.folder, "other folder");
  await mkdir(folder);
  const { stderr } = await hub.granary(["run", "--session", "etl", "-c", "1"], { cwd: folder });
  expect(stderr).toBe(
    `granary: The session etl is new; it stays in the hub. Another one of that name is in ${hub.folder}: --cwd ${hub.folder}\n`,
  );
  expect(
    await hub.granary(["run", "--session", "etl", "--cwd", hub.folder, "-c", "sum(rows)"], { cwd: folder }),
  ).toEqual({
    exitCode: 0,
    stdout: "7\n",
    stderr: "",
  });
  const third = join(hub.folder, "third");
  await mkdir(third);
  const several = await hub.granary(["run", "--session", "etl", "-c", "1"], { cwd: third });
  expect(several.stderr).toContain(`Others of that name are in ${hub.folder}, ${folder}; choose one with --cwd.\n`);
  for (const each of [folder, third]) await hub.granary(["sessions", "stop", "etl", "--cwd", each]);
});

test("wait takes the ids of all cells of a run as one word, and says why Python ended", async () => {
  const code = ["-c", "print('first')", "-c", "import os; os._exit(4)"];
  const { stdout: ids } = await hub.granary(["run", "--session", "ends", "--background", ...code]);
  const waited = await hub.granary(["wait", ids.trim()]);
  expect(waited).toMatchObject({ exitCode: 3, stdout: "first\n" });
  expect(waited.stderr).toContain("granary: Python ended itself with exit code 4.");
});

test("a file that crashes ends as a program does, and says what became of the session's variables", async () => {
  const file = join(hub.folder, "crash.py");
  await writeFile(file, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n");
  await hub.run("crash-file", "rows = [1, 2]");
  const back = await hub.granary(["run", "--session", "crash-file", file]);
  expect(back).toMatchObject({ stdout: "", exitCode: 139 });
  expect(back.stderr).toMatch(/^Python crashed \(SIGSEGV.*\nVariables are as they were after cell 1\./);
  expect(await hub.run("crash-file", "rows")).toBe("[1, 2]");
  // A state with a second thread cannot be kept.
  await hub.run(
    "crash-thread",
    "import threading; threading.Thread(target=threading.Event().wait, daemon=True).start()",
  );
  const gone = await hub.granary(["run", "--session", "crash-thread", file]);
  expect(gone.stderr).toMatch(/^Python crashed \(SIGSEGV.*\nThe session's variables are gone\.\n$/);
});

test("a reset while a cell runs is refused with commands that exist", async () => {
  const { stdout } = await hub.granary([
    "run",
    "--session",
    "long",
    "--background",
    "-c",
    "import time; time.sleep(600)",
  ]);
  const id = stdout.trim();
  const reset = ["run", "--session", "long", "--reset", "-c", "1"];
  const { stderr, exitCode } = await hub.granary(reset);
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(`granary: A cell is running in long, and a reset would end it: ${id} `);
  expect(stderr).toMatch(`granary wait ${id}. Interrupt it: granary sessions interrupt long. `);
  expect(stderr).not.toMatch(/force(?! *$)/m);
  await hub.granary(["sessions", "stop", "long", "--force"]);
  expect(await hub.granary(reset)).toMatchObject({ exitCode: 0, stdout: "1\n" });
});

test("the hub's status does not count the command that asks", async () => {
  const { stdout } = await hub.granary(["hub"]);
  expect(stdout).toMatch(/^Clients: none$/m);
  expect((await hub.status())?.clients).toEqual([]);
});

test("an unknown session and an unknown id are wrong usage, with a hub and without", async () => {
  const actions = [
    ["sessions", "stop", "nobody"],
    ["look", "nobody"],
    ["wait", "run-999999"],
  ];
  await using noHub = new TestHub();
  for (const args of actions)
    for (const where of [hub, noHub]) expect([args, (await where.granary(args)).exitCode]).toEqual([args, 2]);
});

test("a new session of a known name says that its earlier variables are gone", async () => {
  await hub.run("two words", "rows = 1");
  const stopped = await hub.granary(["sessions", "stop", "two words"]);
  expect(stopped.stdout).toContain("granary sessions show 'two words'");
  const { stderr } = await hub.granary(["run", "--session", "two words", "-c", "1"]);
  expect(stderr).toBe(
    "granary: The session two words is new; it stays in the hub. Its earlier variables are gone; its history: granary sessions show 'two words'\n",
  );
});

test("a name that begins with a dash is refused: it is usually the next option", async () => {
  const { stderr, exitCode } = await hub.granary(["run", "--session", "-c", "1"]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("does not begin with a dash; got -c.")]);
});

test("a folder has its own session of a name", async () => {
  await hub.run("mine", "place = 1");
  const other = new TestHub();
  const { stderr, exitCode } = await hub.granary(["run", "--session", "mine", "-c", "place"], { cwd: other.folder });
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("NameError")]);
});

test("streams, exit codes and tracebacks are those of a run without the hub", async () => {
  const code = "import sys; print('out'); print('err', file=sys.stderr)";
  expect(await hub.granary(["run", "--session", "etl", "-c", code])).toEqual({
    exitCode: 0,
    stdout: "out\n",
    stderr: "err\n",
  });
  expect(await hub.granary(["run", "--session", "etl", "-c", "1/0"])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("ZeroDivisionError: division by zero"),
  });
  expect((await hub.granary(["run", "--session", "etl", "-c", "import sys; sys.exit(7)"])).exitCode).toBe(7);
});

test("a program, code from standard input, and a JSON document work in a session", async () => {
  await writeFile(join(hub.folder, "program.py"), "import sys; print(sys.argv[1:]); made = len(sys.argv)");
  expect((await hub.granary(["run", "--session", "etl", "program.py", "a", "b"])).stdout).toBe("['a', 'b']\n");
  expect((await hub.granary(["run", "--session", "etl", "-"], { stdin: "print(6 * 7)" })).stdout).toBe("42\n");
  const { stdout } = await hub.granary(["run", "--session", "etl", "--json", "-c", "6 * 7"]);
  expect(JSON.parse(stdout)).toMatchObject({ status: "ok", cells: [{ output: "42\n" }] });
});

test("variables, folder and Python are those of the client that starts the kernel", async () => {
  const code = "import os; print(os.getcwd(), os.environ.get('GREETING'))";
  const { stdout } = await hub.granary(["run", "--session", "env", "--env", "GREETING=hello", "-c", code]);
  expect(stdout).toContain("hello");
  expect(stdout).toContain(hub.folder.split("/").at(-1));
});

const jupyter = environment("main");

test.skipIf(!("python" in jupyter))("a Jupyter kernel stays in the hub as well", async () => {
  const python = "python" in jupyter ? jupyter.python : "";
  const run = ["run", "--session", "ipykernel", "--backend", "zmq", "--python", python, "-c"];
  expect((await hub.granary([...run, "x = 6"])).exitCode).toBe(0);
  expect((await hub.granary([...run, "x * 7"])).stdout).toBe("42\n");
  const { sessions } = (await hub.status()) as HubFacts;
  expect(sessions.find(({ name }) => name === "ipykernel")).toMatchObject({ kernel: { backend: "zmq" } });
  expect((await hub.granary(["sessions", "stop", "ipykernel"])).exitCode).toBe(0);
});

test("Ctrl-C interrupts the cell, and the session keeps its variables", async () => {
  await hub.run("interrupted", "kept = 5");
  const client = hub.start([
    "run",
    "--session",
    "interrupted",
    "-c",
    "print('on', flush=True); import time; time.sleep(60)",
  ]);
  await client.untilOutput("on");
  client.process.kill("SIGINT");
  expect((await client.finished).exitCode).toBe(130);
  expect(await hub.run("interrupted", "kept")).toBe("5");
});

test("a run that waits for the cell of another client says so, and Ctrl-C leaves that cell alone", async () => {
  const busy = hub.start([
    "run",
    "--session",
    "busy",
    "-c",
    "print('on', flush=True)\nwhile not globals().get('go'): pass",
  ]);
  await busy.untilOutput("on");
  const waiting = hub.start(["run", "--session", "busy", "-c", "1"]);
  await until("it says what it waits for", () => waiting.stderr.includes("waiting"));
  expect(waiting.stderr).toMatch(
    /^granary: busy is busy: run-\d+ has been running for \d+ s \(print\('on', flush=True\)\); waiting\. Ctrl-C leaves it alone\./,
  );
  expect(waiting.stderr).toContain("granary sessions interrupt busy");
  waiting.process.kill("SIGINT");
  expect((await waiting.finished).exitCode).toBe(130);
  expect(busy.process.exitCode).toBeNull();
  expect((await hub.granary(["sessions", "interrupt", "busy"])).exitCode).toBe(0);
  expect((await busy.finished).stderr).toContain("KeyboardInterrupt");
});

test("background cells return their ids at once; wait shows their output and exit code", async () => {
  const { stdout } = await hub.granary(["run", "--session", "bg", "--background", "-c", "print('one')", "-c", "1/0"]);
  const ids = stdout.trim().split("\n");
  expect(ids).toEqual([expect.stringMatching(/^run-\d+$/), expect.stringMatching(/^run-\d+$/)]);
  const waited = await hub.granary(["wait", ...ids]);
  expect(waited).toMatchObject({ exitCode: 1, stdout: "one\n", stderr: expect.stringContaining("ZeroDivisionError") });
  const three = ["-c", "1/0", "-c", "2", "-c", "3"];
  const failed = await hub.granary(["run", "--session", "bg", "--background", ...three]);
  const [, second = "", third = ""] = failed.stdout.split("\n");
  for (const id of [second, third]) {
    expect(await hub.granary(["wait", id])).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `granary: ${id} was skipped: the cell before it in the same run did not succeed.\n`,
    });
  }
  const exits = await hub.granary(["run", "--session", "bg", "--background", "-c", "import sys; sys.exit(7)"]);
  expect((await hub.granary(["wait", exits.stdout.trim()])).exitCode).toBe(7);
  expect(await hub.granary(["wait", "run-999999"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("knows no execution run-999999"),
  });
});

test("look shows the running line; interrupt and stop act on the session by name", async () => {
  await hub.granary(["run", "--session", "long", "--background", "-c", "import time\ntime.sleep(60)"]);
  const isRunning = async () => (await hub.granary(["look", "long"])).stdout.includes("time.sleep(60)");
  for (let looks = 0; !(await isRunning()) && looks < 40; looks++);
  expect((await hub.granary(["look", "long"])).stdout).toContain("time.sleep(60)");
  const refused = await hub.granary(["sessions", "stop", "long"]);
  expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("--force") });
  expect((await hub.granary(["sessions", "interrupt", "long"])).stdout).toMatch(/^Interrupted run-\d+\.\n$/);
  expect((await hub.granary(["sessions", "stop", "long"])).exitCode).toBe(0);
  expect((await hub.granary(["ps", "--json"])).stdout).not.toContain('"long"');
  expect((await hub.granary(["look", "long"])).stderr).toContain("There is no session long in the hub");
});

test("the history says who ran each cell, outlives the kernel, and becomes a notebook that runs", async () => {
  await hub.run("story", "print('once'); total = 20");
  await hub.run("story", "total + 1");
  await hub.granary(["sessions", "stop", "story"]);
  const shown = await hub.granary(["sessions", "show", "story"]);
  expect(shown.stdout).toMatch(
    /has no kernel[\s\S]*granary run[\s\S]*> print\('once'\)[\s\S]*once[\s\S]*> total \+ 1\n21/,
  );
  const saved = await hub.granary(["sessions", "save", "story", "story.ipynb"]);
  expect(saved).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Saved 2 cells") });
  expect((await hub.granary(["notebook", "run", "story.ipynb"])).exitCode).toBe(0);
  expect((await hub.granary(["sessions", "save", "story", "story.ipynb"])).exitCode).not.toBe(0);
  const wrongName = await hub.granary(["sessions", "save", "story", "story.txt"]);
  expect(wrongName).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("ends with .ipynb, not story.txt") });
});
