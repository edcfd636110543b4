import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { repositoryMarks } from "../../../src/support/files/foreign/project-folders.ts";
import { newestPython } from "../../environment/pythons.ts";
import { isLong } from "../../environment/variants.ts";
import { Machine } from "../../python/machine.ts";
import { clientOf } from "../mcp/granary-mcp.ts";
import { granary } from "./granary.ts";
import { granaryInTerminal } from "./terminal.ts";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.make();
  await machine.addLink("bin/python3");
});
afterEach(() => machine.remove());

/** Every way in which a folder could run something leaves this file. */
const hasRun = (): boolean => existsSync(machine.path("ran"));
const mark = (): string => `open(${JSON.stringify(machine.path("ran"))}, "a").write("python ")`;
const script = (): string => `echo "script $0" >> '${machine.path("ran")}'`;

/** The folders, each with the working folder of commands and the environment around them. */
const folders: Readonly<Record<string, () => Promise<{ cwd?: string; env?: Record<string, string> }>>> = {
  "a .venv whose Python is another program": async () => {
    await machine.addFile("clone/.venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.1\n");
    await machine.addScript("clone/.venv/bin/python", script());
    return {};
  },
  "a .venv with code that runs at every start": async () => {
    const { path, version } = newestPython();
    await machine.addVenv("clone/.venv", path);
    const packages = `clone/.venv/lib/python${version.replace(/\.\d+$/, "")}/site-packages`;
    await machine.addFile(`${packages}/evil.pth`, `import sys; ${mark()}\n`);
    await machine.addFile(`${packages}/sitecustomize.py`, `${mark()}\n`);
    return {};
  },
  "a .venv at the root of the repository above": async () => {
    await machine.addFile("clone/.git/HEAD", "ref: refs/heads/main\n");
    await machine.addFile("clone/venv/pyvenv.cfg", "home = /usr/bin\n");
    await machine.addScript("clone/venv/bin/python", script());
    await mkdir(machine.path("clone/deep/er"), { recursive: true });
    return { cwd: machine.path("clone/deep/er") };
  },
  "settings that name programs": async () => {
    await machine.addScript("clone/evil", script());
    const settings = {
      "python.interpreter": "./evil",
      "python.gatewayUrl": "http://127.0.0.1:1",
      "python.kernel": "x",
    };
    await machine.addFile("clone/.granary/settings.json", JSON.stringify(settings));
    return {};
  },
  "modules for every kernel": async () => {
    await machine.addFile("clone/.granary/modules/evil.py", `${mark()}\n`);
    return {};
  },
  "modules in the way of the standard library, on PATH and on PYTHONPATH": async () => {
    for (const name of ["sitecustomize", "json", "ipykernel", "jupyter_client", "kernel_gateway", "decimal"]) {
      await machine.addFile(`clone/${name}.py`, `${mark()}\n`);
    }
    await machine.addScript("clone/bin/python3", script());
    const path = `${machine.path("clone/bin")}:${machine.path("bin")}`;
    return { env: { PATH: path, PYTHONPATH: `.:${machine.path("clone")}`, VIRTUAL_ENV: machine.path("clone") } };
  },
};

const cell = { cell_type: "code", id: "a", execution_count: null, metadata: {}, outputs: [] };
const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });

/** Commands that only look. */
const looks: readonly (readonly string[])[] = [
  ["doctor"],
  ["doctor", "--json"],
  ["notebook", "show", "a.ipynb"],
  ["notebook", "check", "a.ipynb"],
  ["notebook", "validate", "a.ipynb"],
  ["notebook", "diff", "a.ipynb", "b.ipynb"],
  ["notebook", "find", "x", "a.ipynb"],
  ["notebook", "text", "a.ipynb"],
  ["notebook", "export", "a.ipynb", "--to", "html", "--output", "a.html"],
  ["notebook", "insert", "a.ipynb", "--content", "1"],
  ["notebook", "edit", "a.ipynb", "0", "--content", "2"],
  ["artifact", "--list"],
  ["gateway", "status"],
  ["sessions"],
  ["hub", "status"],
  ["setup", "--check"],
  ["trust", "--list"],
  ["trust"],
  ["run", "--help"],
  ["--version"],
];

async function arrange(prepare: (typeof folders)[string]) {
  await mkdir(machine.path("clone"), { recursive: true });
  const { cwd = machine.path("clone"), env = {} } = await prepare();
  for (const name of ["a.ipynb", "b.ipynb"]) await writeFile(join(cwd, name), notebook);
  const around = { HOME: machine.path("user"), GRANARY_HOME: machine.home, PATH: machine.path("bin"), ...env };
  return { cwd, env: around };
}

/** In `npm test` the last one, in which most is wrong; all of them in `npm run test:long`. */
const tried = Object.entries(folders).slice(isLong ? 0 : -1);

describe.each(tried)("a hostile folder: %s", (_, prepare) => {
  test("commands that only look run nothing of it", async () => {
    const around = await arrange(prepare);
    await machine.addFile("clone/.granary/modules/always.py", `${mark()}\n`);
    for (const args of looks) {
      const { stderr } = await granary(args, around);
      expect({ args, ran: hasRun(), bug: / at .*\.ts/.test(stderr) }).toEqual({ args, ran: false, bug: false });
    }
    for (const mode of [[], ["--read-only"]]) {
      await using server = await clientOf({ ...around, args: mode }, { over: "stdio", revision: "2025-11-25" });
      const { tools } = await server.client.listTools();
      expect(tools.map(({ name }) => name)).toContain("read");
      await server.client.listResources();
      await server.client.callTool({ name: "read", arguments: { path: "a.ipynb" } });
      expect({ mode, ran: hasRun() }).toEqual({ mode, ran: false });
    }
  });
});

/** Where the user's own variables and environments lead into the folder, and its settings choose a backend that has to be tried. */
const leads: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
  PYTHONPATH: async () => ({ PYTHONPATH: machine.path("clone") }),
  "PYTHONPATH by another name": async () => {
    await machine.addLink("user/proj", machine.path("clone"));
    return { PYTHONPATH: machine.path("user/proj") };
  },
  "PYTHONPATH, below a home folder that is a repository": async () => {
    await machine.addFile(".git/HEAD", "ref: refs/heads/main\n");
    return { HOME: machine.folder, PYTHONPATH: machine.path("clone") };
  },
  "an activated environment, below a home folder that is a repository": async () => {
    await machine.addFile(".git/HEAD", "ref: refs/heads/main\n");
    await machine.addFile("clone/env/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.1\n");
    await machine.addScript("clone/env/bin/python", script());
    return { HOME: machine.folder, VIRTUAL_ENV: machine.path("clone/env") };
  },
  "an environment with the folder as an editable package": async () => {
    const { path, version } = newestPython();
    await machine.addVenv("user/env", path);
    const packages = `user/env/lib/python${version.replace(/\.\d+$/, "")}/site-packages`;
    await machine.addFile(`${packages}/__editable__.clone-1.0.pth`, `${machine.path("clone")}\n`);
    return { VIRTUAL_ENV: machine.path("user/env") };
  },
};

describe.each(Object.entries(leads))("commands that only look run nothing of a folder that is in %s", (_, lead) => {
  test.each(["zmq", "gateway"])("with the backend %s", async (backend) => {
    const { cwd, env } = await arrange(async () => {
      for (const name of ["sitecustomize", "usercustomize", "ipykernel", "kernel_gateway"]) {
        await machine.addFile(`clone/${name}.py`, `${mark()}\n`);
      }
      await machine.addFile("clone/.granary/settings.json", JSON.stringify({ "python.backend": backend }));
      return { env: await lead() };
    });
    await granary(["doctor"], { cwd, env });
    expect(hasRun()).toBe(false);
    await using server = await clientOf({ cwd, env, args: ["--read-only"] }, { over: "stdio", revision: "2025-11-25" });
    expect((await server.client.listTools()).tools.map(({ name }) => name)).toContain("read");
    expect(hasRun()).toBe(false);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  "a .venv that another user put above runs with no command, and is named",
  async () => {
    await machine.addFile("shared/.git/HEAD");
    await machine.addScript("shared/.venv/bin/python", script());
    await mkdir(machine.path("shared/mine"));
    await chmod(machine.path("shared"), 0o1777);
    execFileSync("chown", ["-R", "4711", machine.path("shared/.git"), machine.path("shared/.venv")]);
    const context = { cwd: machine.path("shared/mine"), env: { PATH: `${machine.path("bin")}:/usr/bin:/bin` } };
    const skipped = `${machine.path("shared/.venv/bin/python")}, which belongs to another user (uid 4711): if you trust`;
    expect(await granary(["run", "-c", "6 * 7"], context)).toMatchObject({
      stdout: "42\n",
      stderr: expect.stringContaining(`granary: skipped ${skipped}`),
    });
    for (const args of [["doctor"], ["doctor", "--run"]]) {
      const { exitCode, stdout } = await granary([...args, "--json"], context);
      expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
        exitCode: 0,
        problems: [{ severity: "warning", remedy: expect.stringContaining("name it by its path") }],
      });
    }
    expect(hasRun()).toBe(false);
  },
);

describe("a folder's modules and the programs that its settings name", () => {
  test("are left out until the user trusts the folder, and the first result says so once", async () => {
    const around = await arrange(folders["modules for every kernel"] as (typeof folders)[string]);
    await machine.addScript("clone/evil", script());
    await machine.addFile("clone/.granary/settings.json", JSON.stringify({ "python.interpreter": "./evil" }));
    const first = await granary(["run", "-c", "6*7", "-c", "1"], around);
    expect(first.stdout).toBe("42\n1\n");
    expect(first.stderr.match(/Not used, because you have not trusted/g)).toHaveLength(1);
    expect(first.stderr).toContain(
      `.granary/modules/evil.py; python.interpreter of .granary/settings.json. If you know where this folder comes from, allow it with: granary trust ${machine.path("clone")}\n`,
    );
    expect(hasRun()).toBe(false);

    expect((await granary(["trust", "--yes"], around)).stdout).toBe(`${machine.path("clone")} is trusted.\n`);
    const second = await granary(["run", "-c", "6*7"], around);
    // The interpreter is the folder's own now, and no Python.
    expect(second.exitCode).toBe(3);
    expect(hasRun()).toBe(true);

    await granary(["trust", "--remove"], around);
    expect((await granary(["run", "-c", "6*7"], around)).stdout).toBe("42\n");
  });

  test("run once with --trust, which is not remembered", async () => {
    const around = await arrange(folders["modules for every kernel"] as (typeof folders)[string]);
    expect(await granary(["run", "--trust", "-c", "6*7"], around)).toMatchObject({ stdout: "42\n", stderr: "" });
    expect(hasRun()).toBe(true);
    expect((await granary(["trust", "--list"], around)).stdout).toBe("No folder is trusted.\n");
  });

  test("run with --trust in folders below, but in no other that an agent names and no repository inside", async () => {
    const around = await arrange(async () => ({}));
    await machine.addFile("clone/nested/.git/HEAD", "ref: refs/heads/main\n");
    await machine.addLink("clone/link", machine.path("other"));
    const places = ["clone", "clone/below", "clone/nested", "clone/nested/deep", "other"];
    for (const place of places) {
      await machine.addFile(`${place}/.granary/modules/evil.py`, `${mark()}\n`);
      await machine.addFile(`${place}/.granary/settings.json`, JSON.stringify({ "python.allowEnv": ["MINE"] }));
    }
    const start = { ...around, env: { ...around.env, MINE: "mine" }, args: ["--trust"] };
    await using server = await clientOf(start, { over: "stdio", revision: "2025-11-25" });
    const runs = async (place: string) => {
      rmSync(machine.path("ran"), { force: true });
      const cells = [{ code: "import os; os.environ.get('MINE')" }];
      const call = {
        name: "python",
        arguments: { cells, cwd: machine.path(place), session: place.replaceAll("/", "-") },
      };
      const said = JSON.stringify((await server.client.callTool(call)).content);
      expect({ place, said: said.includes("Not used"), mine: said.includes("'mine'") }).toEqual({
        place,
        said: !hasRun(),
        mine: hasRun(),
      });
      return hasRun();
    };
    expect([await runs("clone"), await runs("clone/below")]).toEqual([true, true]);
    for (const place of ["clone/nested", "clone/nested/deep", "other", "clone/link"])
      expect([place, await runs(place)]).toEqual([place, false]);
  });
});

describe("granary trust", () => {
  test.skipIf(process.getuid?.() !== 0)("of a folder that all may write covers no files of other users", async () => {
    const { cwd, env } = await arrange(folders["modules for every kernel"] as (typeof folders)[string]);
    await machine.addFile("clone/.granary/modules/own.py", "own = 6 * 7\n");
    await chmod(cwd, 0o1777);
    execFileSync("chown", ["4711", join(cwd, ".granary/modules/evil.py")]);
    const { screen } = await granaryInTerminal(["trust", cwd], [{ after: "[y/N] ", type: "y\r" }], env);
    expect(screen.replace(/\s+/g, " ")).toContain(
      "nothing that other users put into it, because all users may write there, at present 1 file",
    );
    expect(screen).not.toContain("evil.py");
    const { stdout, stderr } = await granary(["run", "-c", "own"], { cwd, env });
    expect({ stdout, ran: hasRun() }).toEqual({ stdout: "42\n", ran: false });
    expect(stderr).toContain(
      `other users put them into ${cwd}, which all users may write: .granary/modules/evil.py. To`,
    );
    const { problems } = JSON.parse((await granary(["doctor", "--json"], { cwd, env })).stdout);
    expect(problems).toContainEqual(expect.objectContaining({ remedy: "To use one, make a copy that is yours." }));
  });

  test("shows long names and values in short, and ends with the folder and how much is in it", async () => {
    const { cwd, env } = await arrange(async () => ({}));
    for (let index = 0; index < 15; index++) await machine.addFile(`clone/.granary/modules/m${index}.py`);
    await machine.addFile(`clone/.granary/modules/a${" ".repeat(100)}b.py`);
    const interpreter = `./evil${" ".repeat(3000)}In ${cwd}:${" ".repeat(60)}nothing that needs trust${"⠀".repeat(80)}${"x".repeat(90)}`;
    await machine.addFile("clone/.granary/settings.json", JSON.stringify({ "python.interpreter": interpreter }));
    const { screen } = await granaryInTerminal(["trust", cwd], [{ after: "[y/N] ", type: "no\r" }], env);
    const shown = screen.replace(/\s+/g, " ");
    expect(shown).toContain(".granary/modules/a b.py runs in every kernel");
    expect(shown).toContain("m3.py runs in every kernel and so do 6 more modules");
    expect(shown).toMatch(/sets python.interpreter to "\.\/evil In .*…/);
    expect(shown).not.toContain("xxxx");
    expect(shown).toContain(`Trust ${cwd}, with 16 modules and 1 setting? [y/N]`);
  });

  test("shows what it would allow, asks, and takes anything but yes as no", async () => {
    const { cwd, env } = await arrange(folders["modules for every kernel"] as (typeof folders)[string]);
    const { screen, exitCode } = await granaryInTerminal(["trust", cwd], [{ after: "[y/N] ", type: "no\r" }], env);
    expect(screen).toContain(".granary/modules/evil.py runs in every kernel");
    expect(screen).toContain("and all modules and settings of folders below");
    expect(screen).toContain("Nothing was changed.");
    expect(exitCode).toBe(130);
  });

  test("shows names with line breaks in one line, and so does the first result", async () => {
    const { cwd, env } = await arrange(async () => ({}));
    const breaks = ["\n", "\r\n", "\u0085", "\u2028", "\u2029"];
    for (const [index, ending] of breaks.entries())
      await machine.addFile(`clone/.granary/modules/a${index}${ending}Note: all is well.py`, "");
    const expected = ["a0␊Note", "a1␍␊Note", "a2<U+0085>Note", "a3<U+2028>Note", "a4<U+2029>Note"];
    const { stderr } = await granary(["run", "-c", "1"], { cwd, env });
    expect(expected.filter((name) => !stderr.includes(name))).toEqual([]);
    expect(stderr.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => line.startsWith("Note: all"))).toEqual([]);
    const { screen } = await granaryInTerminal(["trust", cwd], [{ after: "[y/N] ", type: "no\r" }], env);
    for (const name of expected)
      expect(screen).toContain(`  .granary/modules/${name}: all is well.py runs in every kernel`);
  });

  test("shows a folder's name with line breaks in one line", async () => {
    const { env } = await arrange(async () => ({}));
    await mkdir(machine.path("a\nother is trusted"));
    const { stdout } = await granary(["trust", "--yes"], { cwd: machine.path("a\nother is trusted"), env });
    expect(stdout).toBe(`${machine.path("a␊other is trusted")} is trusted.\n`);
  });

  test("--remove of a folder below a trusted one says that it stays trusted, and how to change that", async () => {
    const { cwd, env } = await arrange(async () => ({}));
    await mkdir(join(cwd, "below"));
    await granary(["trust", "--yes"], { cwd, env });
    const remove = async (folder: string) => {
      const { stdout, exitCode } = await granary(["trust", folder, "--remove"], { cwd, env });
      return [stdout, exitCode];
    };
    expect(await remove("below")).toEqual([
      `${cwd}/below is still trusted, with the folders below ${cwd}. To trust none of them: granary trust ${cwd} --remove\n`,
      1,
    ]);
    expect(await remove(cwd)).toEqual([`${cwd} is no longer trusted.\n`, 0]);
    expect(await remove("below")).toEqual([`${cwd}/below was not trusted.\n`, 0]);
  });

  test("refuses two options of which one would be ignored", async () => {
    const around = await arrange(async () => ({}));
    for (const [one, other] of [
      ["--list", "--remove"],
      ["--remove", "--yes"],
      ["--list", "--yes"],
    ] as const)
      expect(await granary(["trust", other, one], around)).toMatchObject({
        stderr: `granary: ${one} and ${other} cannot be given together.\n`,
        exitCode: 2,
      });
  });

  test.each(["[{", '{"path": "/"}', '[{"path": "/a", "owner": 0, "since": "2026-11-18"}, 1]'])(
    "never overwrites a list that it cannot read: %s",
    async (damaged) => {
      const around = await arrange(async () => ({}));
      const file = await machine.addFile("granary-home/trusted.json", damaged);
      for (const more of [["--yes"], ["--remove"], ["--list"]]) {
        const { stderr, exitCode } = await granary(["trust", ...more], around);
        expect(stderr).toContain(`${file}, which remembers the trusted folders, cannot be read`);
        expect({ exitCode, kept: readFileSync(file, "utf8") }).toEqual({ exitCode: 3, kept: damaged });
      }
      expect((await granary(["run", "-c", "1"], around)).stdout).toBe("1\n");
    },
  );

  test("without a terminal asks for --yes", async () => {
    const { stderr, exitCode } = await granary(["trust"], await arrange(async () => ({})));
    expect(stderr).toBe("granary: There is no terminal to ask on. If you trust this folder: granary trust --yes\n");
    expect(exitCode).toBe(2);
  });

  test("every remedy trusts the folder that it is about, wherever it is typed", async () => {
    const { env } = await arrange(async () => ({}));
    const cwd = machine.path("elsewhere");
    const folder = machine.path("a folder");
    await mkdir(cwd);
    await machine.addFile("a folder/.granary/modules/evil.py");
    await machine.addFile("a folder/a.ipynb", notebook.replace("[]", JSON.stringify([{ ...cell, source: "1" }])));
    const remedies = [];
    for (const args of [
      ["run", "--cwd", folder, "-c", "1"],
      ["notebook", "run", "../a folder/a.ipynb"],
      ["notebook", "verify", "../a folder/a.ipynb"],
      ["trust", "../a folder"],
    ])
      remedies.push(/granary trust .*/.exec((await granary(args, { cwd, env })).stderr)?.[0]);
    const usual = `granary trust '${folder}'`;
    expect(remedies).toEqual([usual, usual, usual, "granary trust '../a folder' --yes"]);
  });

  test("covers folders below, but no repository that was cloned into them", async () => {
    const { cwd, env } = await arrange(folders["modules for every kernel"] as (typeof folders)[string]);
    await granary(["trust", "--yes"], { cwd: dirname(cwd), env });
    const trusted = async (): Promise<boolean> => {
      const { stderr } = await granary(["run", "-c", "1"], { cwd, env });
      return !stderr.includes("Not used");
    };
    expect(await trusted()).toBe(true);
    for (const name of repositoryMarks) {
      await mkdir(join(cwd, name));
      expect([name, await trusted()]).toEqual([name, false]);
      await rm(join(cwd, name), { recursive: true });
    }
  });

  test.skipIf(process.getuid?.() !== 0)("does not cover a folder that another user put in its place", async () => {
    const { cwd, env } = await arrange(folders["modules for every kernel"] as (typeof folders)[string]);
    await granary(["trust", "--yes"], { cwd, env });
    execFileSync("chown", ["4711", cwd]);
    await chmod(cwd, 0o777);
    expect((await granary(["run", "-c", "1"], { cwd, env })).stderr).toContain("Not used");
  });
});

/** Rights do not hold root up, so root looks with the eyes of another user. */
const asUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const program = inRepository("bin/granary");
const canRun = spawnSync(process.execPath, [program, "--version"], { ...asUser, cwd: "/" }).status === 0;

test.skipIf(!canRun)("a folder that keeps the user out is named, and not a file in it", () => {
  const folder = mkdtempSync("/tmp/granary-locked-");
  const locked = join(folder, "locked");
  mkdirSync(locked);
  chmodSync(folder, 0o755);
  chmodSync(locked, 0);
  try {
    const env = { PATH: "/usr/bin:/bin", HOME: folder };
    const args = [program, "run", "--cwd", "locked", "-c", "1"];
    const { stderr, status } = spawnSync(process.execPath, args, { ...asUser, cwd: folder, env, encoding: "utf8" });
    expect(stderr).toMatch(new RegExp(`^granary: The folder ${locked} cannot be entered: .* Change its rights`));
    expect(status).toBe(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
