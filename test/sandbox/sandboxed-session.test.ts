import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { chmod, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { createToolbox, type Toolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { World, whyNotTested } from "./world.ts";

for (const engine of ["landlock", "bwrap"] as const) {
  const whyNot = whyNotTested(engine);
  describe.skipIf(whyNot !== null)(`a session in ${engine}${whyNot === null ? "" : ` (skipped: ${whyNot})`}`, () => {
    let world: World;
    let runtime: Runtime;
    let toolbox: Toolbox;

    const settings = {
      python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path },
    } as const;
    const open = (more: object = {}, folder = "project"): Promise<Runtime> =>
      createRuntime({
        cwd: world.path(folder),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
        settings: { python: { ...settings.python, ...more } },
      });

    beforeAll(async () => {
      world = new World(true);
      runtime = await open();
      toolbox = await createToolbox({ runtime });
    });
    afterAll(async () => {
      await toolbox?.close();
      await runtime?.close();
      world?.remove();
    });

    const python = async (code: string): Promise<string> => {
      const result = await toolbox.find("python")?.run({ cells: [{ code }] });
      return result?.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") ?? "";
    };

    test("the first result says which sandbox there is, and a denial names the setting", async () => {
      expect(await python("6 * 7")).toMatch(
        /42[\s\S]*Python and commands run in a sandbox with .*python\.sandbox: workspace/,
      );
      const denied = await python(`open(${JSON.stringify(world.path("outside/new"))}, "w")`);
      expect(denied).toContain("The sandbox (python.sandbox: workspace) lets code write only in");
      expect(await python("1")).not.toContain("sandbox");
    });

    test("python.maxProcesses counts Python and its children, and nothing in front of them", async () => {
      const run = async (code: string, maxProcesses: number, more: object = {}) => {
        await using limited = await open({ maxProcesses, crashRetry: "never", ...more });
        return JSON.stringify(await limited.session().run(code).result);
      };
      const looks = "import time; time.sleep(0.6); print('fine')";
      expect(await run(looks, 1)).toContain("fine");
      expect(await run(looks, 1, { sandboxNetwork: ["pypi.org"] })).toContain("fine");
      const children = "import subprocess; all = [subprocess.Popen(['sleep', '60']) for _ in range(2)]\n";
      expect(await run(children + looks, 3)).toContain("fine");
      expect(await run(`${children}time.sleep(60)`.replace("import ", "import time, "), 2)).toContain(
        "Python had 3 processes, and python.maxProcesses allows 2",
      );
    });

    const bash = async (command: string): Promise<string> =>
      JSON.stringify((await toolbox.find("bash")?.run({ command }))?.content);

    test("a command says what happened to its background processes", async () => {
      const left = "sleep 1000 > /dev/null 2>&1 & sleep 1000 > /dev/null 2>&1 & true & wait $!; echo done";
      // The processes need not be gone when the command is: chance must not decide what it says.
      for (let round = 0; round < 5; round += 1) {
        expect(await bash(left)).toMatch(
          engine === "bwrap"
            ? /done.*Ended with the command: 2 background processes\. In a sandbox with bubblewrap, none outlives its command/
            : /done.*Left running in the background: 2 processes/,
        );
      }
      expect(await bash("true & wait; echo done")).not.toContain("Note");
      expect(await bash("sleep 1000 & exit 7")).toMatch(/exit code 7.*background/);
      expect(toolbox.find("bash")?.description).toContain("use a server in the command that starts it");
    });

    test("a command that a signal ends has no words of another shell in its output", async () => {
      const said = await bash("echo before; kill -9 $$");
      expect(said).toMatch(/before/);
      expect(said).not.toMatch(/Killed|sh:/);
    });

    test("the way to a list of hosts is none of a command's background processes", async () => {
      await using listed = await open({ sandboxNetwork: ["pypi.org"] });
      const { tools } = await createToolbox({ runtime: listed });
      const run = async (command: string) =>
        JSON.stringify(await tools.find(({ name }) => name === "bash")?.run({ command }));
      expect(await run("echo done")).not.toContain("background");
      expect(await run("sleep 1000 > /dev/null 2>&1 & echo done")).toMatch(/1 (background )?process/);
    });

    test("a denial names the setting: SQLite, the tools for files, and another folder", async () => {
      const outside = JSON.stringify(world.path("outside/new.db"));
      const may = "The sandbox (python.sandbox: workspace) may forbid this: code can write only in";
      expect(await python(`import sqlite3; sqlite3.connect(${outside})`)).toContain(may);
      const wrapped = `try: sqlite3.connect(${outside})\nexcept Exception as why: raise ValueError('no table') from why`;
      expect(await python(wrapped)).toContain(may);
      expect(await python("sqlite3.connect(':memory:').execute('select nothing')")).not.toContain("sandbox");
      const bySandbox = "no other folder is allowed by the sandbox (python.sandbox); python.sandboxWrite adds folders.";
      const said = async (tool: string, input: object): Promise<string> =>
        JSON.stringify((await toolbox.find(tool)?.run(input))?.content);
      expect(await said("write", { path: world.path("outside/new"), content: "" })).toContain(bySandbox);
      expect(await said("read", { path: world.path("home/.ssh/id_rsa") })).toContain(bySandbox);
      const elsewhere = world.path("outside/victim");
      const byCells = await said("read", { path: `${elsewhere}:1-2` });
      expect(byCells).toContain("Cells can read it: open(");
      expect(byCells).not.toContain("sandboxWrite");
      expect(await python(`open(${JSON.stringify(elsewhere)}).read()`)).toContain("untouched");
      expect(await said("read", { path: world.path("outside/missing") })).toContain(bySandbox);
      expect(await said("python", { cells: [{ code: "1" }], cwd: world.path("outside") })).toContain(bySandbox);
    });

    test("a file that is missing in an empty working folder is not hidden", async () => {
      mkdirSync(world.path("outside/empty"), { recursive: true });
      await using alone = await open({}, "outside/empty");
      await using session = alone.session("empty");
      for (const name of ["nosuch.csv", "no/such.csv"]) {
        const said = JSON.stringify(await session.run(`open(${JSON.stringify(name)})`).result);
        expect(said).toContain("FileNotFoundError");
        expect(said).not.toContain("hides this place");
      }
    });

    test("a denial names the setting: a read of a secret, the network, a failed command", async () => {
      const secret = JSON.stringify(world.path("home/.ssh/id_rsa"));
      expect(await python(`open(${secret})`)).toContain("The sandbox (python.sandbox: workspace) hides this place.");
      expect(await python(`open(${JSON.stringify(world.path("outside/typo"))})`)).not.toContain("sandbox");
      expect(await python("import socket; socket.create_connection(('1.1.1.1', 80), 2)")).toContain(
        "The sandbox has no network: python.sandboxNetwork is off.",
      );
      const bash = async (command: string): Promise<string> =>
        JSON.stringify((await toolbox.find("bash")?.run({ command }))?.content);
      expect(await bash(`touch ${world.path("outside/new")}`)).toContain(
        "The sandbox (python.sandbox: workspace) lets commands write only in",
      );
      expect(await bash("python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 80), 2)'")).toContain(
        "The sandbox keeps commands from the network: python.sandboxNetwork is off.",
      );
      expect(await bash("false")).not.toContain("sandbox");
    });

    test("a denial names the setting: commands of a cell, names of hosts, captured output of a failed program", async () => {
      const written = await python(`!touch ${world.path("outside/new")}`);
      expect(written).toContain("The sandbox (python.sandbox: workspace) lets commands write only in");
      const read = await python(`!cat ${world.path("home/.ssh/id_rsa")}`);
      expect(read).toMatch(/The sandbox \(python\.sandbox: workspace\) (hides|lets commands)/);
      const noNetwork = "python.sandboxNetwork is off.";
      const connecting = `import socket; socket.create_connection(("1.1.1.1", 80), 2)`;
      expect(await python(`!python3 -c '${connecting}'`)).toContain(noNetwork);
      expect(await python("import socket; socket.getaddrinfo('example.com', 80)")).toContain(noNetwork);
      expect(await python("import urllib.request as u; u.urlopen('http://example.com', timeout=2)")).toContain(
        noNetwork,
      );
      const captured = (command: readonly string[]): Promise<string> =>
        python(`import subprocess\nsubprocess.run(${JSON.stringify(command)}, check=True, capture_output=True)`);
      expect(await captured(["touch", world.path("outside/new")])).toContain("lets code write only in");
      expect(await captured(["python3", "-c", connecting])).toContain(noNetwork);
      expect(await captured(["false"])).not.toContain("sandbox");
      expect(await python("!ls missing; true")).not.toContain("sandbox");
    });

    test("an agent knows the sandbox before its first call", () => {
      expect(toolbox.notices.join()).toContain("Python and commands run in a sandbox (python.sandbox: workspace)");
    });

    test("tools that a cell calls have the same limits", async () => {
      const tried = py`
        import json
        outcomes = {}
        def attempt(name, call):
            try:
                outcomes[name] = "done: " + str(call())[:60]
            except Exception as problem:
                outcomes[name] = "denied: " + str(problem)[:80]
        outside, home, project = ${JSON.stringify(world.path("outside"))}, ${JSON.stringify(world.path("home"))}, ${JSON.stringify(world.path("project"))}
        attempt("write", lambda: tool.write(path=outside + "/by-tool", content="x"))
        attempt("edit", lambda: tool.edit(path=outside + "/victim", old="untouched", new="x"))
        attempt("read", lambda: tool.read(path=home + "/.ssh/id_rsa"))
        attempt("hook", lambda: tool.write(path=project + "/.git/hooks/evil", content="x"))
        attempt("module", lambda: tool.write(path=project + "/.granary/modules/evil.py", content="x"))
        attempt("bash", lambda: tool.bash(command="echo x > " + outside + "/by-bash"))
        attempt("bash reads", lambda: tool.bash(command="cat " + home + "/.ssh/id_rsa"))
        attempt("bash elsewhere", lambda: tool.bash(command="true", cwd=outside))
        attempt("python elsewhere", lambda: tool.python(cells=[{"code": "open('x', 'w')"}], cwd=outside, session="other"))
        attempt("own file", lambda: tool.write(path=project + "/own.txt", content="x"))
        attempt("own bash", lambda: tool.bash(command="cat own.txt; echo y > own2.txt"))
        print(json.dumps(outcomes))
      `;
      const said = await python(tried);
      const outcomes = JSON.parse(/\{.*\}/.exec(said)?.[0] ?? said) as Record<string, string>;
      const done = Object.keys(outcomes).filter((name) => outcomes[name]?.startsWith("done"));
      expect(done).toEqual(["own file", "own bash"]);
      expect(existsSync(world.path("outside/by-bash"))).toBe(false);
      expect(readFileSync(world.path("project/own2.txt"), "utf8")).toBe("y\n");
    });

    test("commands of a cell and of the tool bash do, too", async () => {
      await python(`!echo x > ${world.path("outside/by-cell")}`);
      const { content } =
        (await toolbox.find("bash")?.run({ command: `echo x > ${world.path("outside/by-tool")}; pwd` })) ?? {};
      expect(JSON.stringify(content)).toContain(world.path("project"));
      expect(existsSync(world.path("outside/by-cell")) || existsSync(world.path("outside/by-tool"))).toBe(false);
    });

    describe("a forged reference to a file makes the host read nothing for the cell", () => {
      /** Shows a large value whose file is said to be another one. */
      const forge = (path: string, bytes: number): Promise<string> =>
        python(py`
          from granary_runner.wire import large_values
          kept = large_values.hand_over
          large_values.hand_over = lambda text, is_json: {"file": 1, "path": ${path}, "bytes": ${bytes}, "json": is_json}
          display({"text/plain": "x" * 3_000_000}, raw=True)
          large_values.hand_over = kept
        `);
      const notRead = "not kept: it is";

      test("by a path, and by a descriptor of a file with a name", async () => {
        expect(await forge(JSON.stringify(world.path("home/.ssh/id_rsa")), 11)).toContain(notRead);
        await python("import os; fd = os.open('/etc/hostname', os.O_PATH)");
        const { size } = statSync("/etc/hostname");
        expect(await forge("f'/proc/1/fd/{fd}'", size)).toContain(notRead);
      });

      test("by a descriptor of a secret that was replaced, which has no name any more", async () => {
        const secret = world.path("home/.Xauthority");
        const replace = async (content: string): Promise<void> => {
          await writeFile(`${secret}.new`, content, { mode: 0o600 });
          await rename(`${secret}.new`, secret);
        };
        await replace("cookie 1");
        await python(`import os; fd = os.open(${JSON.stringify(secret)}, os.O_PATH)`);
        await replace("cookie 2");
        const said = await forge("f'/proc/1/fd/{fd}'", "cookie 1".length);
        expect([said.includes("cookie"), said.includes(notRead)]).toEqual([false, true]);
      });

      test("by a file that is longer than it was said to be", async () => {
        await python(py`
          import os, tempfile
          file = tempfile.gettempdir() + "/granary-0123456789abcdef"
          fd = os.open(file, os.O_CREAT | os.O_RDWR)
          os.unlink(file)
          os.truncate(fd, 40)
        `);
        expect(await forge("f'/proc/1/fd/{fd}'", 40)).toContain("shown in part → artifact");
        await python("os.truncate(fd, 2 ** 31)");
        expect(await forge("f'/proc/1/fd/{fd}'", 40)).toContain(notRead);
      });

      test("and real values are shown", async () => {
        expect(await python(`"y" * 3_000_000 + "end"`)).toContain("end");
      });
    });

    test("an interrupt, a crash and a background child behave as without it", async () => {
      const session = runtime.session("other");
      const endless = session.run("import subprocess\nsubprocess.run(['sleep', '600'])", { timeoutMs: 1500 });
      expect(await endless.result).toMatchObject({ status: "timeout", ledger: { state: "interrupted" } });
      expect(await session.run("6 * 7").result).toMatchObject({ output: "42\n" });
      const { failure } = await session.run("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)").result;
      expect(failure?.message).toContain("SIGSEGV");
    });

    test("a .venv whose Python is another program runs inside, and not even its version is asked outside", async () => {
      const evil = world.path("project/.venv/bin/python");
      mkdirSync(dirname(evil), { recursive: true });
      await writeFile(evil, `#!/bin/sh\necho ran > ${world.path("outside/by-venv")}\n`);
      await chmod(evil, 0o755);
      await using other = await open({ interpreter: undefined });
      expect((await other.session().run("1").result).status).toBe("failed");
      expect(existsSync(world.path("outside/by-venv"))).toBe(false);
    });
  });
}
