import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { newestPython, oldestPython } from "../environment/pythons.ts";
import { whyNotTested } from "../sandbox/world.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
afterAll(() => hub[Symbol.asyncDispose]());

const oldest = oldestPython().path;
const newest = newestPython().path;

test("a command that names no Python continues in the session that another command made with one", async () => {
  await hub.granary(["run", "--session", "mixed", "--python", oldest, "-c", "rows = [3, 4]"]);
  expect(await hub.granary(["run", "--session", "mixed", "-c", "sum(rows)"])).toEqual({
    exitCode: 0,
    stdout: "7\n",
    stderr: "",
  });
  const { stdout } = await hub.granary(["sessions", "--json"]);
  const { sessions } = JSON.parse(stdout) as { readonly sessions: readonly { readonly name: string }[] };
  expect(sessions.filter(({ name }) => name === "mixed")).toHaveLength(1);
});

test("after a crash, the session has the Python that it was made with", async () => {
  await hub.granary(["run", "--session", "crash", "--python", oldest, "-c", "1"]);
  await hub.granary(["run", "--session", "crash", "-c", "import os; os._exit(3)"]);
  const { stdout } = await hub.granary(["run", "--session", "crash", "-c", "import sys; print(sys.executable)"]);
  expect(stdout).toBe(`${oldest}\n`);
});

test("another Python than that of the session is refused with the remedy, and nothing runs", async () => {
  await hub.granary(["run", "--session", "mine", "--python", oldest, "-c", "x = 1"]);
  const refused = await hub.granary(["run", "--session", "mine", "--python", newest, "-c", "x = 2"]);
  expect(refused).toMatchObject({
    exitCode: 3,
    stdout: "",
    stderr: `granary: The session mine of this folder runs ${oldest}, not ${newest}. Use another name, or end it first: granary sessions stop mine\n`,
  });
  expect((await hub.granary(["run", "--session", "mine", "--python", oldest, "-c", "x"])).stdout).toBe("1\n");
});

test("a run with a sandbox never continues in a session without one", async () => {
  await hub.granary(["run", "--session", "open", "-c", "x = 1"]);
  const refused = await hub.granary(["run", "--session", "open", "--sandbox", "-c", "print(x)"]);
  expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
  expect(refused.stderr).toContain("The session open of this folder has another sandbox or none.");
});

test.skipIf(whyNotTested("bwrap") !== null)(
  "a run that asks for no sandbox never continues in a session with one, which others join",
  async () => {
    await hub.granary(["run", "--session", "closed", "--sandbox", "-c", "x = 1"]);
    const refused = await hub.granary(["run", "--session", "closed", "--sandbox=off", "-c", "print(x)"]);
    expect(refused).toMatchObject({
      ...{ exitCode: 3, stdout: "" },
      stderr:
        "granary: The session closed of this folder has a sandbox. Use another name, or end it first: granary sessions stop closed\n",
    });
    expect((await hub.granary(["run", "--session", "closed", "-c", "print(x)"])).stdout).toBe("1\n");
  },
);

test("another name of the session's Python is the same Python", async () => {
  await hub.granary(["run", "--session", "names", "--python", newest, "-c", "x = 1"]);
  const env = { PATH: `${dirname(newest)}:/usr/bin:/bin` };
  const args = ["run", "--session", "names", "--python", basename(newest), "-c", "x"];
  expect(await hub.granary(args, { env })).toMatchObject({ stdout: "1\n", stderr: "" });
});

test("a link to a folder names the sessions of that folder", async () => {
  const [real, link] = [join(hub.folder, "real"), join(hub.folder, "link")];
  mkdirSync(real);
  symlinkSync(real, link);
  await hub.granary(["run", "--session", "linked", "-c", "x = 1"], { cwd: real });
  const { stdout, stderr } = await hub.granary(["run", "--session", "linked", "--cwd", link, "-c", "x"]);
  expect({ stdout, stderr }).toEqual({ stdout: "1\n", stderr: "" });
  await hub.granary(["run", "--session", "linked", "-c", "x = 2"]);
  expect((await hub.granary(["sessions", "show", "linked", "--cwd", link])).stdout).toContain("> x = 1");
});

test("--env for a Python that is running is reported as ignored", async () => {
  const args = ["run", "--session", "variables", "--env", "FOO=1", "-c", "import os; print(os.environ.get('FOO'))"];
  expect((await hub.granary(args)).stderr).not.toContain("ignored");
  const later = args.map((arg) => arg.replace("FOO=1", "FOO=2"));
  expect(await hub.granary(later)).toMatchObject({
    stdout: "1\n",
    stderr:
      "granary: --env FOO is ignored: Python of the session variables is running. Set it in a cell with os.environ, or start Python again with --reset.\n",
  });
  expect((await hub.granary([...later.slice(0, 1), "--reset", ...later.slice(1)])).stdout).toBe("2\n");
});

test("a client that does not trust the folder restarts no session with the programs that another client allowed", async () => {
  const folder = join(hub.folder, "cloned");
  const ran = join(folder, "ran");
  mkdirSync(join(folder, ".granary/modules"), { recursive: true });
  writeFileSync(join(folder, ".granary/modules/m.py"), `open(${JSON.stringify(ran)}, "a").write("x")`);
  writeFileSync(join(folder, "python"), `#!/bin/sh\nexec ${oldest} "$@"\n`, { mode: 0o755 });
  writeFileSync(join(folder, ".granary/settings.json"), JSON.stringify({ "python.interpreter": "./python" }));
  const run = (...args: string[]) => hub.granary(["run", "--session", "s", "--cwd", folder, ...args]);
  expect(await run("--trust", "-c", "x = 1; x")).toMatchObject({ stdout: "1\n" });
  expect(readFileSync(ran, "utf8")).toBe("x");
  for (const args of [
    ["--reset", "-c", "1"],
    ["-c", "x"],
  ]) {
    expect(await run(...args)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(
        new RegExp(`you have not trusted it\\. Use another name.*: granary trust ${folder}\n`),
      ),
    });
  }
  expect(await run("--trust", "-c", "x")).toMatchObject({ stdout: "1\n" });
  expect(readFileSync(ran, "utf8")).toBe("x");
});
