import { execFileSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { granary, RunningGranary } from "../hosts/cli/granary.ts";
import { granaryInTerminal } from "../hosts/cli/terminal.ts";
import { clientOf } from "../hosts/mcp/granary-mcp.ts";
import { World, whyNotTested } from "./world.ts";

let world: World;
beforeAll(() => {
  world = new World(true);
});
afterAll(() => world.remove());

const around = () => ({
  cwd: world.path("project"),
  env: {
    ...{ HOME: world.path("home"), GRANARY_HOME: world.path("home/granary"), PATH: "/usr/bin:/bin" },
    GRANARY_PYTHON_SANDBOX_ENGINE: whyNotTested("bwrap") === null ? "bwrap" : "landlock",
  },
});
const hasEngine = whyNotTested("bwrap") === null || whyNotTested("landlock") === null;
const sentence = "Python and commands run in a sandbox with";
const write = () => `open(${JSON.stringify(world.path("outside/new"))}, "w")`;

test.each([
  ["run", "-c", "1"],
  ["run", "--session", "s", "-c", "1"],
  ["run", "file.py"],
  ["console"],
  ["notebook", "run", "a.ipynb"],
  ["mcp"],
])("granary %s: --sandbox strict, without =, is refused with the right form", async (...args) => {
  for (const mode of ["off", "workspace", "strict"]) {
    const at = args[0] === "notebook" ? 2 : 1;
    const typed = [...args.slice(0, at), "--sandbox", mode, ...args.slice(at)];
    const { stdout, stderr, exitCode } = await granary(typed, around());
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: "",
      stderr: expect.stringContaining(`Did you mean --sandbox=${mode}? (A file of that name would be ./${mode}.)`),
      exitCode: 2,
    });
  }
});

describe.skipIf(!hasEngine)("--sandbox", () => {
  test("granary run: says so once, and a denial names the setting", async () => {
    const { stdout, stderr, exitCode } = await granary(["run", "--sandbox", "-c", "print(1)", "-c", write()], around());
    expect(stdout).toContain("1\n");
    expect(stderr.split(sentence)).toHaveLength(2);
    expect(stdout + stderr).toContain("The sandbox (python.sandbox: workspace) lets code write only in");
    expect(exitCode).toBe(1);
  });

  test("granary run FILE and -m: a denial in a program names the setting", async () => {
    const { cwd, env } = around();
    writeFileSync(join(cwd, "denied.py"), write());
    for (const program of [["denied.py"], ["-m", "denied"]]) {
      const { stderr, exitCode } = await granary(["run", "--sandbox", ...program], { cwd, env });
      expect(stderr).toContain("The sandbox (python.sandbox: workspace) lets code write only in");
      expect(exitCode).toBe(1);
    }
  });

  test("granary run: says so also where the first cell fails", async () => {
    const { stderr, exitCode } = await granary(["run", "--sandbox", "-c", write()], around());
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(1);
  });

  test.skipIf(whyNotTested("bwrap") !== null)("granary run --sandbox=strict: other folders are not there", async () => {
    const code = `import os; print(os.path.exists(${JSON.stringify(world.path("outside"))}), os.path.exists("own.py"))`;
    const { stdout, stderr } = await granary(
      ["run", "--sandbox=strict", "-c", "open('own.py', 'w').close()", "-c", code],
      around(),
    );
    expect(stdout).toBe("False True\n");
    expect(stderr).toContain("python.sandbox: strict");
    const wrong = await granary(["run", "--sandbox=loose", "-c", "1"], around());
    expect({ wrong: wrong.stderr, code: wrong.exitCode }).toEqual({
      wrong: expect.stringContaining("--sandbox takes off, workspace, strict"),
      code: 2,
    });
  });

  test.skipIf(whyNotTested("bwrap") !== null)("alone keeps strict of a file; a mode is the user's word", async () => {
    const { cwd, env } = around();
    const modes = async (args: readonly string[], more: Record<string, string> = {}) =>
      /python\.sandbox: (\w+)/.exec(
        (await granary(["run", ...args, "-c", "1"], { cwd, env: { ...env, ...more } })).stderr,
      )?.[1];
    const strict = { GRANARY_PYTHON_SANDBOX: "strict" };
    expect([await modes(["--sandbox"]), await modes(["--sandbox"], strict)]).toEqual(["workspace", "strict"]);
    const file = world.path("project/.granary/settings.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"python.sandbox": "strict"}');
    try {
      expect([await modes(["--sandbox"]), await modes(["--sandbox=workspace"])]).toEqual(["strict", "workspace"]);
      await using server = await clientOf({ cwd, env, args: ["--sandbox"] }, { over: "stdio", revision: "2025-11-25" });
      const { content } = await server.client.callTool({ name: "python", arguments: { cells: [{ code: "1" }] } });
      expect(JSON.stringify(content)).toContain("python.sandbox: strict");
    } finally {
      rmSync(dirname(file), { recursive: true });
    }
  });

  test("granary run FILE on a terminal: the program has no terminal, and input() asks", async () => {
    const file = world.path("project/ask.py");
    writeFileSync(file, "import os, sys\nprint(os.isatty(0), sys.stdin.isatty())\nprint('got', input('Name: '))\n");
    const { screen, exitCode } = await granaryInTerminal(
      ["run", "--sandbox", file],
      [{ after: "Name: ", type: "Zoë\r" }],
      around().env,
    );
    expect(screen).toContain("False False\n");
    expect(screen).toContain("got Zoë\n");
    expect(exitCode).toBe(0);
  });

  test("granary run FILE < DATA: the program reads the data, and cannot write the file", async () => {
    const [file, data] = [world.path("project/data.py"), world.path("outside/data.csv")];
    writeFileSync(data, "a,b\n".repeat(50_000));
    writeFileSync(file, "import sys\nprint(len(sys.stdin.read()))\nopen('/proc/self/fd/0', 'w').write('gone')\n");
    const command = [
      "/bin/sh",
      "-c",
      `exec "$0" "$@" < ${data}`,
      process.execPath,
      inRepository("bin/granary"),
    ] as const;
    const ran = new RunningGranary(["run", "--sandbox", file], { ...around(), command });
    expect((await ran.finished).stdout).toContain("200000\n");
    expect(readFileSync(data, "utf8")).toHaveLength(200_000);
  });

  const runWith = (input: string, code: string) => {
    const file = world.path("project/input.py");
    writeFileSync(file, code);
    const shell = [
      "/bin/sh",
      "-c",
      `exec "$0" "$@" < ${input}`,
      process.execPath,
      inRepository("bin/granary"),
    ] as const;
    return new RunningGranary(["run", "--sandbox", file], { ...around(), command: shell });
  };

  test("granary run FILE < PIPE: the program reads what others write, and cannot write itself", async () => {
    const pipe = world.path("outside/pipe");
    execFileSync("mkfifo", [pipe]);
    // Open for both, so that nobody waits and the pipe never ends: the command ends by itself.
    const others = openSync(pipe, "r+");
    const ran = runWith(
      pipe,
      "import os, sys\nprint(sys.stdin.readline(), end='')\nos.write(os.open('/proc/self/fd/0', os.O_WRONLY), b'forged')\n",
    );
    writeSync(others, "hello\n");
    const { stdout, exitCode } = await ran.finished;
    expect(stdout).toBe("hello\n");
    expect(exitCode).toBe(1);
    closeSync(others);
  });

  test("granary run FILE < DEVICE: the program reads the device's content", async () => {
    const read = "import sys\nprint(sys.stdin.buffer.read(100_000).count(0))\n";
    expect((await runWith("/dev/zero", read).finished).stdout).toBe("100000\n");
    expect((await runWith("/dev/null", read).finished).stdout).toBe("0\n");
  });

  test("granary run FILE < FOLDER: the message says what is wrong", async () => {
    const { stdout, stderr, exitCode } = await runWith(world.path("outside"), "print('started')").finished;
    expect(stdout).toBe("");
    expect(stderr).toContain("Standard input is a folder, which no program can read.");
    expect(exitCode).toBe(3);
  });

  test("granary run FILE < DATA: the program reads all of it, also where the first start failed", async () => {
    const [file, data, launcher] = ["project/all.py", "outside/all.csv", "outside/fails-once"].map((n) =>
      world.path(n),
    );
    writeFileSync(data as string, `first\n${"a,b\n".repeat(50_000)}`);
    writeFileSync(file as string, "import sys\ntext = sys.stdin.read()\nprint(text[:5], len(text))\n");
    // As bubblewrap does when a socket is gone. It leaves time to read ahead.
    const fail = `[ -e '${launcher}.tried' ] || { : > '${launcher}.tried'; sleep 1; echo 'bwrap: gone' >&2; exit 1; }`;
    writeFileSync(launcher as string, `#!/bin/sh\n${fail}\nexec "$@"\n`, { mode: 0o755 });
    const { cwd, env } = around();
    const command = [
      "/bin/sh",
      "-c",
      `exec "$0" "$@" < ${data}`,
      process.execPath,
      inRepository("bin/granary"),
    ] as const;
    const traced = { ...env, GRANARY_PYTHON_LAUNCHER: launcher as string };
    const ran = new RunningGranary(["run", "--sandbox", file as string], { cwd, env: traced, command });
    expect((await ran.finished).stdout).toBe("first 200006\n");
    expect(existsSync(`${launcher}.tried`)).toBe(true);
  });

  test("granary notebook run", async () => {
    const { cwd, env } = around();
    await granary(["notebook", "new", "a.ipynb"], { cwd, env });
    await granary(["notebook", "insert", "a.ipynb", "--content", write()], { cwd, env });
    const { stdout, stderr, exitCode } = await granary(["notebook", "run", "--sandbox", "a.ipynb"], { cwd, env });
    expect(stdout + stderr).toContain("The sandbox (python.sandbox: workspace) lets code write only in");
    expect(exitCode).toBe(1);
  });

  test("granary mcp: the instructions say so, and the first result", async () => {
    const { cwd, env } = around();
    await using server = await clientOf({ cwd, env, args: ["--sandbox"] }, { over: "stdio", revision: "2025-11-25" });
    expect(server.client.getInstructions()).toContain(
      "Python and commands run in a sandbox (python.sandbox: workspace)",
    );
    const call = async (code: string): Promise<string> =>
      JSON.stringify(await server.client.callTool({ name: "python", arguments: { cells: [{ code }] } }));
    expect(await call("6 * 7")).toContain(sentence);
    expect(await call(write())).toContain("lets code write only in");
  });

  test("granary console: the first cell shows it", async () => {
    const { cwd, env } = around();
    const args = ["console", "--sandbox", "--cwd", cwd];
    const { screen } = await granaryInTerminal(
      args,
      [
        { after: "❯", type: "6*7\r" },
        { after: "42", type: "\x04" },
      ],
      env,
    );
    expect(screen.replace(/\s+/g, " ")).toContain(sentence);
  });

  test("a project's file turns it on, and cannot turn it off", async () => {
    mkdirSync(world.path("project/.granary"), { recursive: true });
    const settings = world.path("project/.granary/settings.json");
    writeFileSync(settings, JSON.stringify({ "python.sandbox": "workspace" }));
    expect((await granary(["run", "-c", "1"], around())).stderr).toContain(sentence);
    writeFileSync(settings, JSON.stringify({ "python.sandbox": "off", "python.sandboxNetwork": "on" }));
    const { env, cwd } = around();
    const { stderr } = await granary(["run", "-c", "1"], { cwd, env: { ...env, GRANARY_PYTHON_SANDBOX: "workspace" } });
    expect(stderr).toContain("have no network (python.sandboxNetwork: off)");
  });
});
