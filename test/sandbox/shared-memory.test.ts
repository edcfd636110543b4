import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { skipReason, whyNotTested } from "./world.ts";

const memory = "/dev/shm";

for (const engine of ["landlock", "bwrap"] as const) {
  const isSkipped = whyNotTested(engine) !== null || !existsSync(memory) || realpathSync(memory) !== memory;
  describe.skipIf(isSkipped)(`a project in ${memory}, in ${engine}${skipReason(engine)}`, () => {
    let above: string;
    const tmp = process.env.TMPDIR;
    beforeEach(() => {
      above = mkdtempSync(`${memory}/granary-test-`);
      for (const name of ["project/.vscode", "more", "home", "tmp"]) mkdirSync(join(above, name), { recursive: true });
      writeFileSync(join(above, "beside"), "secret");
    });
    afterEach(() => {
      process.env.TMPDIR = tmp;
      if (tmp === undefined) delete process.env.TMPDIR;
      rmSync(above, { recursive: true });
    });

    test("can be written with the usual limits, also with temporary files there", async () => {
      process.env.TMPDIR = join(above, "tmp");
      await using runtime = await createRuntime({
        cwd: join(above, "project"),
        env: { PATH: "/usr/bin:/bin", HOME: join(above, "home"), GRANARY_HOME: join(above, "home/granary") },
        settings: {
          python: {
            ...{ sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path },
            sandboxWrite: [join(above, "more")],
          },
        },
      });
      const write = py`
        import multiprocessing, os, tempfile
        for path in ["made", "../more/made", "/dev/shm/own"]:
            open(path, "w").write("x")
        tempfile.TemporaryFile().close()
        multiprocessing.Lock()
        print(os.path.exists("../beside"))
        try:
            open(".vscode/tasks.json", "w")
        except OSError as problem:
            print(problem.strerror)
      `;
      const { output, error, failure } = await runtime.session().run(write).result;
      expect({ error, failure }).toEqual({ error: null, failure: null });
      expect(output).toBe("False\nRead-only file system\n");
      expect(["project/made", "more/made"].map((name) => readFileSync(join(above, name), "utf8"))).toEqual(["x", "x"]);
      expect(existsSync(`${memory}/own`)).toBe(false);
    });
  });
}
