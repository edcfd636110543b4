import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { newestPython } from "../environment/pythons.ts";
import { TestHub } from "../hub/test-hub.ts";
import { py } from "../kernel/py.ts";
import { whyNotTested } from "../sandbox/world.ts";

/** Starts Granary as a shell does that has said `exec 200<FOLDER`, with a number that Node does not close. */
function opener(folder: string): readonly [string, ...string[]] {
  const open = `import os, sys; os.dup2(os.open(${JSON.stringify(folder)}, os.O_RDONLY), 200); os.execv(sys.argv[1], sys.argv[1:])`;
  return [newestPython().path, "-c", open, process.execPath, inRepository("bin/granary")];
}

const compiled = (name: string): string => JSON.stringify(pathToFileURL(inRepository(`dist/${name}`)).href);

const opened =
  "import os; print(sorted(os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') if n == '200'))";

describe.skipIf(process.platform !== "linux")("descriptors that the user's shell has open", () => {
  const folder = mkdtempSync(join(tmpdir(), "granary-descriptors-"));

  test("do not reach the hub, which would hold a lock as long as it lives, nor its sessions", async () => {
    await using hub = new TestHub();
    const args = ["run", "--session", "s", "-c", opened];
    expect((await hub.start(args, { command: opener(folder) }).finished).stdout).toBe("['/dev/null']\n");
  });

  test("do not reach the shell that waits for the end of Granary, and outlives it for a moment", async () => {
    await using hub = new TestHub({ GRANARY_HUB: "never" });
    const code = py`
      import os, time
      def inherited(pid):
          return [os.readlink(f"/proc/{pid}/fd/{n}") for n in os.listdir(f"/proc/{pid}/fd") if n == "200"]
      def watchers():
          pids = open(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read().split()
          return [pid for pid in pids if open(f"/proc/{pid}/cmdline").read().startswith("/bin/sh\0-c\0read _;")]
      while not watchers(): time.sleep(0.05)
      print([inherited(pid) for pid in watchers()])
    `;
    const { stdout } = await hub.start(["run", "-c", code], { command: opener(folder) }).finished;
    expect(stdout).toBe("[['/dev/null']]\n");
  });

  test("reach no program that may run in a sandbox: the user's shell, the test of its snapshot, a Python that is asked", async () => {
    const env = { PATH: "/usr/bin:/bin", HOME: folder };
    const script = `
      import { askPython } from ${compiled("python/find/ask-python.js")};
      import { askShell } from ${compiled("shell/snapshot/ask-shell.js")};
      import { sourceableParts } from ${compiled("shell/snapshot/sourceable-parts.js")};
      const usual = (name) => ({
        launcher: ["/bin/sh", "-c", 'readlink /proc/self/fd/200 > "$0"; exec "$@"', ${JSON.stringify(folder)} + "/" + name],
        env: ${JSON.stringify(env)},
        signal: new AbortController().signal,
      });
      const said = await askShell({ shell: "/bin/bash", kind: "bash", userHome: "/", login: false, ...usual("shell") });
      const parts = await sourceableParts(["own=1"], usual("parts"));
      const { facts } = await askPython(${JSON.stringify(newestPython().path)}, { cwd: "/", ...usual("python") });
      console.log(said.length > 0, parts, typeof facts);
    `;
    const [python, ...before] = opener(folder).slice(0, -1);
    const ran = spawnSync(python as string, [...before, "--input-type=module", "-e", script], {
      env,
      encoding: "utf8",
    });
    expect(ran).toMatchObject({ stdout: "true [ 'own=1' ] object\n", stderr: "" });
    const reached = ["shell", "parts", "python"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect(reached).toEqual(["/dev/null\n", "/dev/null\n", "/dev/null\n"]);
  });

  test("stop no start where their number is above the limit by now", async () => {
    await using hub = new TestHub();
    const [python, option = "", open = "", ...program] = opener(folder);
    const withLimit = ["/bin/sh", "-c", 'ulimit -n 150; exec "$0" "$@"', ...program];
    const args = ["run", "--session", "s", "-c", opened];
    const ran = await hub.start(args, { command: [python, option, open, ...withLimit] }).finished;
    expect(ran).toMatchObject({ exitCode: 0, stdout: "[]\n" });
  });

  for (const engine of ["bwrap", "landlock"] as const) {
    test.skipIf(whyNotTested(engine) !== null)(
      `open no folder to a sandbox by ${engine}, nor to its commands`,
      async () => {
        const env = { GRANARY_PYTHON_SANDBOX_ENGINE: engine, GRANARY_HUB: "never" };
        await using hub = new TestHub(env);
        const args = ["run", "--sandbox", "-c", opened, "-c", "print(tool.bash(command='readlink /proc/self/fd/200'))"];
        const { stdout } = await hub.start(args, { command: opener(folder) }).finished;
        expect(stdout).toContain("['/dev/null']\n");
        expect(stdout).not.toContain(folder);
      },
    );
  }
});
