import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, symlinkSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime, type Runtime } from "../../src/runtime/runtime.ts";
import { createToolbox, type Toolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { skipReason, World, whyNotTested } from "./world.ts";

for (const engine of ["landlock", "bwrap"] as const) {
  describe.skipIf(whyNotTested(engine) !== null)(`sentences beside denials in ${engine}${skipReason(engine)}`, () => {
    let world: World;
    let runtime: Runtime;
    let toolbox: Toolbox;

    beforeAll(async () => {
      world = new World(true);
      runtime = await createRuntime({
        cwd: world.path("project"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      toolbox = await createToolbox({ runtime });
      await said("python", { cells: [{ code: "import os, shutil" }] });
    });
    afterAll(async () => {
      await toolbox?.close();
      await runtime?.close();
      world?.remove();
    });

    const said = async (tool: string, input: object): Promise<string> => {
      const result = await toolbox.find(tool)?.run(input);
      return result?.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") ?? "";
    };
    const python = (code: string): Promise<string> => said("python", { cells: [{ code }] });
    const bash = (command: string): Promise<string> => said("bash", { command });

    test("output that only looks like a denial gets none: printed, shown, of a command that worked, beside one that failed", async () => {
      for (const words of [
        "permission denied for /etc/shadow",
        "/etc/x: Read-only file system",
        "Connection refused",
      ]) {
        const text = JSON.stringify(words);
        for (const code of [
          `print(${text})`,
          text,
          `!echo ${text}`,
          `print(${text})\n!false`,
          `!false\nprint(${text})`,
        ]) {
          expect(await python(code)).not.toContain("sandbox");
        }
        expect(await bash(`echo ${text}`)).not.toContain("sandbox");
      }
    });

    test("a hidden file can be opened in no way, and the sentence says that it is hidden", async () => {
      const file = JSON.stringify(world.path("home/.Xauthority"));
      for (const how of ["r", "a", "w", "r+"]) {
        const refused = await python(`open(${file}, "${how}")`);
        expect([how, refused]).toEqual([how, expect.stringContaining("PermissionError")]);
        expect(refused).toContain("The sandbox (python.sandbox: workspace) hides this place.");
      }
      expect(await bash(`echo lost >> ${file}; cat ${file}`)).toMatch(/Permission denied[\s\S]*Permission denied/);
    });

    test("a command of a cell that failed gets one: after !, with its output captured, in a script", async () => {
      const outside = world.path("outside/new");
      for (const code of [`!touch ${outside}\nprint("later")`, `x = !touch ${outside}`, `%%bash\ntouch ${outside}`]) {
        expect(await python(code)).toContain("The sandbox (python.sandbox: workspace) lets commands write only in");
      }
    });

    const isProtected = (name: string, who: string): string =>
      `${world.path(`project/${name}`)} is protected: the sandbox (python.sandbox: workspace) keeps ${who} from changing it`;

    test("a refusal in the working folder names the protected file: written, replaced, removed, moved with its folder", async () => {
      const refused = {
        'open(".git/config", "a")': ".git/config",
        'open(".git/hooks/new", "w")': ".git/hooks",
        'open("new", "w").close(); os.replace("new", ".envrc")': ".envrc",
        'os.remove(".bashrc")': ".bashrc",
        'os.rename(".venv", "other")': ".venv/bin/activate",
        'shutil.rmtree(".venv")': ".venv/bin/activate",
      };
      for (const [code, name] of Object.entries(refused)) {
        expect(await python(code), code).toContain(isProtected(name, "code"));
      }
    });

    test("so it does for commands", async () => {
      const refused = {
        "git config -f .git/config user.name bob": ".git/config",
        "touch .git/hooks/new": ".git/hooks",
        "echo > .envrc": ".envrc",
        "rm -f .bashrc": ".bashrc",
        "mv .venv other": ".venv/bin/activate",
        "python3 -c 'import shutil; shutil.rmtree(\".venv\")'": ".venv/bin/activate",
      };
      for (const [command, name] of Object.entries(refused)) {
        expect(await bash(command), command).toContain(isProtected(name, "commands"));
        expect(await python(`!${command}`), command).toContain(isProtected(name, "commands"));
      }
    });

    test("the owner and the mode of a file in the working folder are no matter of the sandbox", async () => {
      expect(await python('os.chown("sub/file", 1, 1)')).not.toContain("sandbox");
      for (const command of ["chown 1 sub/file", "./sub/file"]) {
        expect(await bash(command)).toMatch(/not permitted|denied/);
        expect(await bash(command)).not.toContain("sandbox");
      }
    });

    const only = (who: string): string => `The sandbox (python.sandbox: workspace) lets ${who} write only in`;

    test("a library that tells only the words of the system gets one as well, as polars and duckdb do", async () => {
      const outside = world.path("outside/new");
      expect(await python('raise OSError("Read-only file system (os error 30)")')).toContain(
        "may forbid this: code can write only in",
      );
      const duckdb = `IO Error: Cannot open file "${outside}": Read-only file system`;
      expect(await python(`raise RuntimeError(${JSON.stringify(duckdb)})`)).toContain(only("code"));
      expect(await python(`open(${JSON.stringify(world.path("nothing"))})`)).not.toContain("The sandbox");
    });

    test("a rename or hard link to outside names the setting, and one between writable places the mounts", async () => {
      const outside = JSON.stringify(world.path("outside/new"));
      for (const how of ["rename", "link"]) {
        expect(await python(`open("made", "w").close(); os.${how}("made", ${outside})`), how).toContain(only("code"));
        const between = `import tempfile; made = tempfile.mktemp(); open(made, "w").close(); os.${how}(made, "other")`;
        expect(await python(between), how).toContain("mounts writable places one by one");
      }
    });

    test("a command that does not find a server on its own localhost hears of its network, and npm of the setting", async () => {
      const own = "each command of the tool bash: servers elsewhere are not on its localhost";
      expect(await bash("exec 3<>/dev/tcp/127.0.0.1/8799")).toContain(own);
      const npm = "npm error request failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org";
      expect(await bash(`echo ${npm}; false`)).toContain("python.sandboxNetwork is off");
    });

    test.skipIf(process.getuid?.() !== 0)("root hears that it may not change files of others", async () => {
      mkdirSync(world.path("project/foreign"));
      chownSync(world.path("project/foreign"), 1008, 1008);
      const owner = `${world.path("project/foreign")} belongs to another user (uid 1008)`;
      expect(await python('open("foreign/new", "w")')).toContain(`${owner}: in the sandbox`);
      expect(await bash("touch foreign/new")).toContain(`${owner}: in the sandbox`);
      await using inside = await createRuntime({
        cwd: world.path("project/foreign"),
        env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      const { notices } = await inside.session().run("1").result;
      expect(notices.join()).toContain(`${owner}, and in a sandbox root may change only its own files`);
    });

    test("a command without network hears what can install packages, if it was to install some", async () => {
      const command = "python3 -c 'import socket; socket.getaddrinfo(\"pypi.org\", 443)'";
      const keeps = "The sandbox keeps commands from the network: python.sandboxNetwork is off.";
      const packages = "Only %pip install reaches the package index.";
      expect(await bash(`${command} # pip`)).not.toContain(packages);
      expect(await bash(`${command}; echo 'pip: no package' >&2; exit 1`)).toContain(`${keeps} ${packages}`);
    });

    test("a command of the tool bash that a cell calls has one sentence, and no other beside it", async () => {
      const outside = world.path("outside/new");
      const answer = await python(`tool.bash(command="touch ${outside}")`);
      expect(answer.match(/python\.sandbox: workspace/g)).toHaveLength(1);
      expect(answer).toContain("lets commands write only in");
    });
  });
}

const whyNotStrict = whyNotTested("bwrap");
test.skipIf(whyNotStrict !== null)(
  `in a strict sandbox, a failed command hears which place is hidden, also in the home folder${skipReason("bwrap")}`,
  async () => {
    const world = new World(true);
    const runtime = await createRuntime({
      cwd: world.path("project"),
      env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
      settings: { python: { sandbox: "strict", sandboxEngine: "bwrap", interpreter: newestPython().path } },
    });
    try {
      const session = runtime.session("strict");
      const notices = async (code: string): Promise<string> => (await session.run(code).result).notices.join("\n");
      await session.run("1").result;
      const hides = "The sandbox (python.sandbox: strict) hides";
      expect(await notices("!cat ~/.ssh/id_rsa")).toBe(`${hides} ${world.path("home/.ssh")}.`);
      expect(await notices(`!cat ${world.path("outside/victim")}`)).toBe(`${hides} ${world.path("outside/victim")}.`);
      expect(await notices("!cat missing /usr/missing /tmp/missing")).toBe("");
      const output = async (code: string): Promise<string> => (await session.run(code).result).output;
      symlinkSync(world.path("outside"), world.path("project/data"));
      symlinkSync(world.path("outside/own.py"), world.path("project/linked.py"));
      expect(await output('open("data/new.txt", "w")')).toContain(`${hides} this place.`);
      expect(await output("import linked")).toMatch(
        /linked\.py is a link to .*own\.py, which is not there\. The sandbox/,
      );
      expect(await output('open("missing.txt")')).not.toContain("sandbox");
      execFileSync("rm", ["-r", world.path("project/.git")]);
      execFileSync("git", ["init", "-q", world.folder]);
      expect(await notices("!git status")).toContain(
        "if the root of the repository is one of them, start Granary there",
      );
    } finally {
      await runtime.close();
      world.remove();
    }
  },
);
