import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { notebookText } from "../execute/notebook-runs.ts";
import { whyNotTested } from "../sandbox/world.ts";
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
      expect(await run("-c", temporary)).toEqual({ exitCode: 0, stdout: "1\n", stderr: "" });
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
