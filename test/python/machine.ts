import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { newestPython } from "../environment/pythons.ts";

/** A folder that stands for a whole machine: Pythons in all places, and a home of Granary's. */
export class Machine {
  readonly folder: string;
  readonly home: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.home = join(folder, "granary-home");
  }

  static async make(): Promise<Machine> {
    return new Machine(await realpath(await mkdtemp(join(tmpdir(), "granary-machine-"))));
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async addFile(name: string, content = ""): Promise<string> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await writeFile(this.path(name), content);
    return this.path(name);
  }

  async addLink(name: string, target = newestPython().path): Promise<string> {
    await mkdir(dirname(this.path(name)), { recursive: true });
    await symlink(target, this.path(name));
    return this.path(name);
  }

  async addScript(name: string, ...lines: readonly string[]): Promise<string> {
    await this.addFile(name, ["#!/bin/sh", ...lines, ""].join("\n"));
    await chmod(this.path(name), 0o755);
    return this.path(name);
  }

  /** As `python -m venv --without-pip` makes them, without unneeded parts. */
  async addVenv(name: string, python = newestPython().path): Promise<string> {
    await this.addFile(`${name}/pyvenv.cfg`, `home = ${dirname(python)}\ninclude-system-site-packages = false\n`);
    await this.addLink(`${name}/bin/python`, python);
    await this.addLink(`${name}/bin/python3`, "python");
    return this.path(name);
  }

  /** A package in a venv of the newest Python, as pip would install it. */
  async addPackage(venv: string, name: string): Promise<void> {
    const folder = `${venv}/lib/python${newestPython().version.replace(/\.\d+$/, "")}/site-packages`;
    await this.addFile(`${folder}/${name}/__init__.py`);
  }

  /** With this as its environment, every start of a Python is counted. */
  async countStarts(): Promise<{ readonly PYTHONPATH: string }> {
    const log = JSON.stringify(this.path("starts"));
    const code = `import sys\nwith open(${log}, "a") as log:\n    log.write(sys.executable + "\\n")\n`;
    return { PYTHONPATH: dirname(await this.addFile("counting/sitecustomize.py", code)) };
  }

  /** The Pythons that were started, by the paths they were started as. */
  async starts(): Promise<readonly string[]> {
    const log = await readFile(this.path("starts"), "utf8").catch(() => "");
    return log.split("\n").filter((line) => line !== "");
  }
}
