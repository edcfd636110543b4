import { symlink } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { belongsToFolder, withoutFolder, withoutFolderPrograms } from "../../src/python/find/in-folder.ts";
import { newestPython } from "../environment/pythons.ts";
import { Machine } from "./machine.ts";

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.make();
  await machine.addFile("clone/.git/HEAD");
  await machine.addFile("clone/src/app.py");
  await machine.addFile("user/own/lib.py");
});
afterEach(() => machine.remove());

const place = (env: Record<string, string> = {}) => ({
  cwd: machine.path("clone"),
  env: { HOME: machine.path("user"), ...env },
});

describe("a Python from elsewhere gets no variable that leads into the folder", () => {
  const kept = async (name: string, value: string) => (await withoutFolder(place({ [name]: value })))[name];

  test("by any name of the folder", async () => {
    const [own, inside] = [machine.path("user/own"), machine.path("clone/src")];
    expect(await kept("PYTHONPATH", `${own}:${inside}`)).toBe(own);
    await symlink(machine.path("clone"), machine.path("user/to-clone"));
    expect(await kept("PYTHONPATH", `${machine.path("user/to-clone/src")}:${own}`)).toBe(own);
    await symlink(own, machine.path("clone/to-own"));
    expect(await kept("PYTHONPATH", machine.path("clone/to-own"))).toBe(undefined);
    expect(await kept("PYTHONPATH", `.:${own}:`)).toBe(own);
  });

  test("among them a cache of compiled modules, and libraries with spaces between them", async () => {
    const [own, inside] = [machine.path("user/own"), machine.path("clone/src")];
    expect(await kept("PYTHONPYCACHEPREFIX", inside)).toBe(undefined);
    expect(await kept("PYTHONPYCACHEPREFIX", own)).toBe(own);
    expect(await kept("LD_PRELOAD", `${own}/a.so ${inside}/b.so`)).toBe(`${own}/a.so`);
    expect(await kept("LD_AUDIT", `${inside}/b.so`)).toBe(undefined);
    expect(await kept("DYLD_INSERT_LIBRARIES", `${inside}/b.so:${own}/a.so`)).toBe(`${own}/a.so`);
  });

  test("among them files of OpenSSL, shells and Jupyter, and packages and settings of pip and uv", async () => {
    const [own, inside] = [machine.path("user/own"), machine.path("clone/src")];
    for (const name of ["OPENSSL_CONF", "OPENSSL_MODULES", "BASH_ENV", "IPYTHONDIR", "JUPYTER_PATH"]) {
      expect([name, await kept(name, `${inside}/a`), await kept(name, own)]).toEqual([name, undefined, own]);
    }
    for (const name of ["XDG_CACHE_HOME", "XDG_DATA_HOME", "PYENV_HOOK_PATH", "UV_PYTHON_DOWNLOADS_JSON_URL"]) {
      expect([name, await kept(name, `${inside}/a`), await kept(name, own)]).toEqual([name, undefined, own]);
    }
    for (const name of ["PIP_CONFIG_FILE", "PIP_CACHE_DIR", "UV_CONFIG_FILE", "XDG_CONFIG_HOME"]) {
      expect([name, await kept(name, `${inside}/a`), await kept(name, own)]).toEqual([name, undefined, own]);
    }
    const server = "https://user:pass@packages.example/simple";
    expect(await kept("PIP_INDEX_URL", server)).toBe(server);
    expect(await kept("PIP_INDEX_URL", `file://${inside}`)).toBe(undefined);
    expect(await kept("PIP_EXTRA_INDEX_URL", `${server} file://${inside}`)).toBe(server);
    expect(await kept("PIP_FIND_LINKS", `${inside} ${own} wheels`)).toBe(own);
    expect(await kept("UV_FIND_LINKS", `${own},${inside},${server}`)).toBe(`${own},${server}`);
    expect(await kept("UV_INDEX", `mine=${server} theirs=${inside}`)).toBe(`mine=${server}`);
  });

  test("without the user's own packages where the home folder is in the repository", async () => {
    const cwd = machine.path("clone");
    const userSite = async (HOME: string) => (await withoutFolder({ cwd, env: { HOME } })).PYTHONNOUSERSITE;
    expect(await userSite(machine.path("clone/.home"))).toBe("1");
    expect(await userSite(machine.path("user"))).toBe(undefined);
  });

  test("also below a home folder that is a repository, of dotfiles", async () => {
    await machine.addFile("user/.git/HEAD");
    await machine.addFile("user/downloads/unpacked/app.py");
    const [own, unpacked] = [machine.path("user/own"), machine.path("user/downloads/unpacked")];
    const keptIn = async (cwd: string) => {
      const env = { HOME: machine.path("user"), PYTHONPATH: `${unpacked}:${own}` };
      return (await withoutFolder({ cwd, env })).PYTHONPATH;
    };
    expect(await keptIn(unpacked)).toBe(own);
    expect(await keptIn(machine.path("user"))).toBe(`${unpacked}:${own}`);
    await symlink(unpacked, machine.path("to-unpacked"));
    expect(await keptIn(machine.path("to-unpacked"))).toBe(own);
  });

  test("of the repository around one that the folder is in, such as a submodule", async () => {
    await machine.addFile("clone/vendor/inner/.git", "gitdir: ../../.git/modules/inner");
    const env = {
      HOME: machine.path("user"),
      PATH: `${machine.path("clone/bin")}:/usr/bin`,
      PYTHONPATH: machine.path("clone/src"),
    };
    const found = await withoutFolderPrograms({ cwd: machine.path("clone/vendor/inner"), env });
    expect(found.env).toMatchObject({ PATH: "/usr/bin", PYTHONPATH: undefined });
  });

  test("also where the home folder is inside of the repository, as in CI", async () => {
    await machine.addFile("clone/.home/own.py");
    const env = { HOME: machine.path("clone/.home"), PATH: `${machine.path("clone/bin")}:/usr/bin` };
    expect((await withoutFolderPrograms({ cwd: machine.path("clone"), env })).env.PATH).toBe("/usr/bin");
    expect((await withoutFolderPrograms({ cwd: machine.path("clone/src"), env })).env.PATH).toBe("/usr/bin");
  });

  test("but all of a folder around the home folder that is no repository", async () => {
    const env = { HOME: machine.path("user"), PATH: `${machine.path("user/bin")}:/usr/bin` };
    expect((await withoutFolderPrograms({ cwd: machine.path("."), env })).env.PATH).toBe(env.PATH);
  });

  test("and no empty PATH, which would mean the current folder", async () => {
    const { env, leftOut } = await withoutFolderPrograms(place({ PATH: machine.path("clone/src") }));
    expect(env.PATH).toBe(undefined);
    expect(leftOut).toEqual([machine.path("clone/src")]);
  });
});

describe("a Python elsewhere belongs to the folder if its packages link there", () => {
  const packages = `lib/python${newestPython().version.replace(/\.\d+$/, "")}/site-packages`;
  const belongs = (env: Record<string, string> = {}, virtualEnvironment: string | null = machine.path("env")) => {
    const executable = virtualEnvironment === null ? newestPython().path : `${virtualEnvironment}/bin/python`;
    const python = { executable, source: "VIRTUAL_ENV", virtualEnvironment, condaEnvironment: null } as const;
    return belongsToFolder(python, place(env));
  };
  beforeEach(() => machine.addVenv("env"));

  test("by a folder in a .pth file, as pip, poetry and conda write them", async () => {
    expect(await belongs()).toBe(false);
    await machine.addFile(`env/${packages}/other.pth`, `# a comment\n\n${machine.path("user/own")}\nimport os\n`);
    expect(await belongs()).toBe(false);
    await machine.addFile(`env/${packages}/__editable__.app-1.0.pth`, `${machine.path("clone/src")}\n`);
    expect(await belongs()).toBe(true);
  });

  test("by a relative folder, and by a link", async () => {
    await machine.addFile(`env/${packages}/app.pth`, "../../../../clone/src\r\n");
    expect(await belongs()).toBe(true);
    await symlink(machine.path("clone"), machine.path("user/to-clone"));
    await machine.addFile(`env/${packages}/app.pth`, machine.path("user/to-clone"));
    expect(await belongs()).toBe(true);
  });

  test("by code that a .pth file runs, as setuptools writes it", async () => {
    const finder = "__editable___app_1_0_finder";
    await machine.addFile(`env/${packages}/__editable__.app-1.0.pth`, `import ${finder}; ${finder}.install()`);
    await machine.addFile(`env/${packages}/${finder}.py`, `MAPPING = {'app': '${machine.path("elsewhere")}'}\n`);
    expect(await belongs()).toBe(false);
    await machine.addFile(`env/${packages}/${finder}.py`, `MAPPING = {'app': '${machine.path("clone/src/app")}'}\n`);
    expect(await belongs()).toBe(true);
  });

  test("in the packages of the user, unless the environment leaves them out", async () => {
    await machine.addFile(`user/base/${packages}/app.pth`, machine.path("clone/src"));
    const env = { PYTHONUSERBASE: machine.path("user/base") };
    expect(await belongs(env)).toBe(false);
    expect(await belongs(env, null)).toBe(true);
    await machine.addFile("env/pyvenv.cfg", "home = /nowhere/bin\ninclude-system-site-packages = true\n");
    expect(await belongs(env)).toBe(true);
    await machine.addFile("env/pyvenv.cfg", "home = /nowhere/bin\nInclude-System-Site-Packages = True\n");
    expect(await belongs(env)).toBe(true);
  });
});
