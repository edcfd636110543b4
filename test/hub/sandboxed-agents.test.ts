import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { py } from "../kernel/py.ts";
import { skipReason, whyNotTested } from "../sandbox/world.ts";
import { agentHere } from "./agent.ts";
import { TestHub } from "./test-hub.ts";

for (const engine of ["bwrap", "landlock"] as const) {
  const where = `${engine}${skipReason(engine)}`;
  describe.skipIf(whyNotTested(engine) !== null)(
    `an agent of the hub whose cells are in a sandbox, by ${where}`,
    () => {
      const hub = new TestHub({ GRANARY_PYTHON_SANDBOX_ENGINE: engine });
      const outside = mkdtempSync(join(tmpdir(), "granary-outside-"));
      const inFolder = (name: string): string => join(hub.folder, name);
      afterAll(async () => {
        await hub[Symbol.asyncDispose]();
        rmSync(outside, { recursive: true });
      });

      test("gets no other folder writable while a cell swaps the folder of further sessions for a link", async () => {
        mkdirSync(inFolder("swapped"));
        writeFileSync(join(outside, "victim"), "untouched");
        await using agent = await agentHere(hub, { args: ["--sandbox"] });
        const swap = py`
        import os, sys, time
        folder, link = sys.argv[1:]
        while True:
            os.rename(folder, folder + "-kept"); os.rename(link, folder); time.sleep(0.0003)
            os.rename(folder, link); os.rename(folder + "-kept", folder); time.sleep(0.0003)
      `;
        const write = `open(${JSON.stringify(join(outside, "victim"))}, "w").write("escaped")`;
        const said = await agent.python(py`
        import os, subprocess, sys
        os.symlink(${JSON.stringify(outside)}, "link")
        folder, link = os.path.abspath("swapped"), os.path.abspath("link")
        swapper = subprocess.Popen([sys.executable, "-c", ${JSON.stringify(swap)}, folder, link])
        for number in range(16):
            session = f"further {number}"
            try: tool.python(cells=[{"code": ${JSON.stringify(write)}}], cwd=folder, session=session)
            except Exception: pass
            try: tool.kernels(action="shutdown", session=session)
            except Exception: pass
        swapper.kill()
        print("swapper:", swapper.wait(), "tried:", number + 1)
      `);
        expect(said).toContain("swapper: -9 tried: 16");
        expect(readFileSync(join(outside, "victim"), "utf8")).toBe("untouched");
        expect(readdirSync(outside)).toEqual(["victim"]);
      });

      test("serves no tools to a session of a narrower sandbox, and cannot join it", async () => {
        mkdirSync(inFolder("inner"));
        await using inner = await agentHere(hub, { args: ["--sandbox", "--cwd", inFolder("inner")] });
        await using outer = await agentHere(hub, { args: ["--sandbox"] });
        const cells = [{ code: `tool.write(path=${JSON.stringify(inFolder("planted"))}, content="x")` }];
        const call = { cells, session: "shared", cwd: inFolder("inner") };
        expect(await inner.call("python", call)).toContain("no other folder is allowed");
        expect(await outer.call("python", { ...call, cells: [{ code: "1" }] })).toContain("has another sandbox");
        expect(await inner.call("python", call)).toContain("no other folder is allowed");
        expect(await outer.call("kernels", { action: "list" })).not.toContain("shared");
        expect(existsSync(inFolder("planted"))).toBe(false);
      });

      test("saves a session of a sandbox through no link that its cell made, also when it has ended", async () => {
        const victim = join(outside, "profile");
        writeFileSync(victim, "untouched");
        const run = (code: string) => hub.granary(["run", "--sandbox", "--session", "saved", "-c", code]);
        const save = () => hub.granary(["sessions", "save", "saved", "out.ipynb", "--overwrite"]);
        await run("x = '$(evil)'");
        expect(await save()).toMatchObject({ exitCode: 0 });
        expect(readFileSync(inFolder("out.ipynb"), "utf8")).toContain("$(evil)");
        await run(`import os; os.unlink("out.ipynb"); os.symlink(${JSON.stringify(victim)}, "out.ipynb")`);
        const refused = { exitCode: 3, stderr: expect.stringContaining("code in an earlier sandbox may have made") };
        expect(await save()).toMatchObject(refused);
        await hub.granary(["sessions", "stop", "saved"]);
        expect(await save()).toMatchObject(refused);
        expect(readFileSync(victim, "utf8")).toBe("untouched");
      });
    },
  );
}
