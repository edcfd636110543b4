import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { notebookText } from "../execute/notebook-runs.ts";
import { FreshTerminal, granaryCommand } from "../hosts/tui/fresh-terminal.ts";
import { whyNotTested } from "../sandbox/world.ts";
import { keys } from "../terminal/keys.ts";
import { TestHub } from "./test-hub.ts";

const reasons = { bwrap: whyNotTested("bwrap"), landlock: whyNotTested("landlock") };

for (const engine of ["bwrap", "landlock"] as const) {
  describe.skipIf(reasons[engine] !== null)(`a session of the hub with a sandbox, by ${engine}`, () => {
    const hub = new TestHub({ GRANARY_PYTHON_SANDBOX_ENGINE: engine });
    const outside = mkdtempSync(join(hub.home, "outside-"));
    afterAll(() => hub[Symbol.asyncDispose]());
    const run = (...args: readonly string[]) => hub.granary(["run", "--session", "s", ...args]);

    test("keeps its private /tmp when the command that made it has ended", async () => {
      await run("--sandbox", "-c", "a = 1");
      const temporary =
        "import tempfile; tempfile.TemporaryFile().write(b'x'); open('/tmp/y', 'w').write('y'); print(a)";
      expect(await run("-c", temporary)).toMatchObject({ exitCode: 0, stdout: "1\n" });
    });

    const name = engine === "bwrap" ? "workspace (bubblewrap)" : "workspace (Landlock)";

    test("says which one it is to a client that did not ask for it", async () => {
      await run("--sandbox", "-c", "a = 1");
      expect((await run("-c", "a")).stderr).toContain(
        `The session s has a sandbox, ${name}, for its Python and the commands of its cells: they can write only in ${hub.folder} and a private /tmp`,
      );
      expect((await run("--sandbox", "-c", "a")).stderr).toBe("");
      await hub.granary(["run", "--session", "open", "-c", "b = 1"]);
      expect((await hub.granary(["run", "--session", "open", "-c", "b"])).stderr).toBe("");
      const fresh = await run("--reset", "-c", "1");
      expect(fresh.stderr.split("they can write only in")).toHaveLength(2);
    });

    test("shows it in the console of granary attach", async () => {
      await run("--sandbox", "-c", "a = 1");
      const terminal = new FreshTerminal([...granaryCommand, "attach", "s"], { env: hub.env, columns: 90, rows: 40 });
      await terminal.shows(`· sandbox: ${name}`);
      terminal.type(keys.ctrl("d"));
      expect(await terminal.exited).toBe(0);
    });

    test("is listed with it", async () => {
      await run("--sandbox", "-c", "a = 1");
      await hub.granary(["run", "--session", "open", "-c", "b = 1"]);
      const { stdout } = await hub.granary(["sessions"]);
      expect(stdout).toMatch(/^NAME .* SANDBOX +FOLDER\n/);
      expect(stdout.split("\n").filter((line) => line.includes(name))).toEqual([expect.stringMatching(/^s /)]);
      expect((await hub.granary(["sessions", "show", "s"])).stdout).toContain(name);
      expect((await hub.granary(["sessions", "show", "open"])).stdout).not.toContain("SANDBOX");
      const { sessions } = JSON.parse((await hub.granary(["sessions", "--json"])).stdout) as { sessions: object[] };
      expect(sessions).toContainEqual(expect.objectContaining({ name: "s", sandbox: name }));
      expect(sessions).toContainEqual(expect.objectContaining({ name: "open", sandbox: null }));
    });

    test("keeps its sandbox after a reset and after a crash, also for a command without --sandbox", async () => {
      const file = join(outside, "x");
      const write = `open(${JSON.stringify(file)}, "w").write("x")`;
      expect((await run("--reset", "-c", write)).exitCode).toBe(1);
      await run("-c", "import os; os._exit(1)");
      expect((await run("-c", write)).exitCode).toBe(1);
      expect(existsSync(file)).toBe(false);
      expect((await run("--sandbox", "-c", "print(1)")).stdout).toBe("1\n");
    });

    test("runs a notebook of a command without --sandbox, and saves it only in the folder", async () => {
      const victim = join(outside, "victim");
      writeFileSync(victim, "untouched");
      const link = `import os\nos.symlink(${JSON.stringify(victim)}, "out.ipynb")`;
      writeFileSync(join(hub.folder, "n.ipynb"), notebookText([link, "print('evil')"]));
      const { stderr } = await hub.granary(["notebook", "run", "n.ipynb", "--session", "s", "--out", "out.ipynb"]);
      expect(stderr).toContain("no other folder is allowed");
      expect(readFileSync(victim, "utf8")).toBe("untouched");
    });
  });
}
