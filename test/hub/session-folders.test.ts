import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agentOf } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
const [fa, fb] = [join(hub.folder, "fa"), join(hub.folder, "fb")];
beforeAll(() => {
  for (const folder of [fa, fb]) mkdirSync(folder);
});
afterAll(() => hub[Symbol.asyncDispose]());

const inFolder = (cwd: string, ...args: string[]) => hub.granary(args, { cwd });
const run = (cwd: string, session: string, code: string) => inFolder(cwd, "run", "--session", session, "-c", code);

test("--cwd binds every command, and the error names the folder that has the session", async () => {
  await run(fb, "bound", "x = 1");
  await run(fb, "bound", "x = 2");
  for (const args of [["undo"], ["stop"], ["show"], ["interrupt"], ["save"]]) {
    const file = args[0] === "save" ? ["bound.ipynb"] : [];
    const refused = await inFolder(fa, "sessions", ...args, "bound", ...file, "--cwd", fa);
    expect(refused).toMatchObject({
      exitCode: 2,
      stdout: "",
      stderr: `granary: There is no session bound in ${fa}. One of that name is in ${fb}: --cwd ${fb}\n`,
    });
  }
  for (const nowhere of [fa, "/nosuch"]) {
    const looked = await inFolder(fb, "look", "bound", "--cwd", nowhere);
    expect(looked).toMatchObject({ exitCode: 2, stdout: "" });
    expect(looked.stderr).toContain(`There is no session bound in ${nowhere}. One of that name is in ${fb}`);
  }
  expect((await run(fb, "bound", "x")).stdout).toBe("2\n");
});

test("a command that takes something away does not reach into another folder by itself", async () => {
  await run(fb, "far", "x = 1");
  await run(fb, "far", "x = 2");
  for (const action of ["undo", "stop", "interrupt"]) {
    const refused = await inFolder(fa, "sessions", action, "far");
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain(`There is no session far in ${fa}. One of that name is in ${fb}: --cwd ${fb}`);
  }
  expect((await run(fb, "far", "x")).stdout).toBe("2\n");
  const there = (action: string) => inFolder(fa, "sessions", action, "far", "--cwd", fb);
  expect((await there("interrupt")).stdout).toBe(`Nothing was running in far in ${fb}.\n`);
  expect((await there("undo")).stdout).toMatch(new RegExp(`^The session far in ${fb}:\nCell 3 was undone`));
  expect((await there("stop")).stdout).toBe(
    `Stopped the session far in ${fb}. Its history stays: granary sessions show far --cwd ${fb}\n`,
  );
});

test("a command that only looks finds the only session of that name, and says where it is", async () => {
  await run(fb, "only", "x = 'elsewhere'");
  expect((await inFolder(fa, "sessions", "show", "only")).stdout).toContain(fb);
  expect((await inFolder(fa, "look", "only")).stdout).toContain(fb);
  const saved = await inFolder(fa, "sessions", "save", "only", "only.ipynb");
  expect(saved.stdout).toBe(`Saved 1 cell of the session only in ${fb} to ${join(fa, "only.ipynb")}.\n`);
  expect(readFileSync(join(fa, "only.ipynb"), "utf8")).toContain("elsewhere");
  await inFolder(fb, "sessions", "stop", "only");
  expect((await inFolder(fa, "sessions", "show", "only")).stdout).toContain(`The session only in ${fb} has no kernel.`);
});

test("the session of the current folder comes first, also after its end: show, save, look, stop, undo", async () => {
  await run(fa, "dup", "x = 'in fa'");
  await run(fb, "dup", "x = 'in fb'");
  const stopped = await inFolder(fa, "sessions", "stop", "dup");
  expect(stopped.stdout).toBe("Stopped the session dup. Its history stays: granary sessions show dup\n");
  const { stdout } = await inFolder(fa, "sessions", "show", "dup");
  expect(stdout).toMatch(/^The session dup has no kernel\.\n[\s\S]*x = 'in fa'\n/);
  await inFolder(fa, "sessions", "save", "dup", "dup.ipynb");
  expect(readFileSync(join(fa, "dup.ipynb"), "utf8")).toContain("in fa");
  for (const args of [["sessions", "stop"], ["sessions", "undo"], ["sessions", "interrupt"], ["look"]]) {
    expect(await inFolder(fa, ...args, "dup")).toMatchObject({
      exitCode: 2,
      stderr: `granary: There is no session dup in the hub: it has ended, and granary sessions show dup has its history. One of that name is in ${fb}: --cwd ${fb}\n`,
    });
  }
  expect((await run(fb, "dup", "x")).stdout).toBe("'in fb'\n");
});

test("an agent that makes a session learns in that result where another one of its name lives", async () => {
  await run(fb, "theirs", "rows = [3, 4]");
  await using agent = await agentOf(hub);
  const python = (args: object): Promise<string> => agent.call("python", args as Record<string, unknown>);
  const first = await python({ session: "theirs", cells: ["rows"] });
  expect(first).toContain("NameError");
  expect(first).toContain(
    `Note: The session theirs of ${hub.folder} is new. Another one of that name is in ${fb}; to join it: ${JSON.stringify({ session: "theirs", cwd: fb })}`,
  );
  expect(await python({ session: "theirs", cells: ["1"] })).not.toContain("Another one");
  expect(await python({ session: "theirs", cwd: fb, cells: ["sum(rows)"] })).toContain("7");
});
