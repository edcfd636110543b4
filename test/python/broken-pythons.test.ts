import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { type FindInterpreterOptions, findInterpreter } from "../../src/python/find/find-interpreter.ts";
import type { RejectedCandidate } from "../../src/python/interpreter.ts";
import { newestPython } from "../environment/pythons.ts";
import { until } from "../kernel/until.ts";
import { Machine } from "./machine.ts";

describe("a Python that cannot be used", () => {
  let machine: Machine;
  beforeEach(async () => {
    machine = await Machine.make();
  });
  afterEach(() => machine.remove());

  const find = (options: Partial<FindInterpreterOptions> = {}) =>
    findInterpreter({ cwd: machine.folder, env: {}, home: machine.home, ...options });
  const problemOf = (explicit: string, options: Partial<FindInterpreterOptions> = {}) =>
    find({ explicit, ...options }).then(
      () => expect.unreachable(),
      (error) => (error.details.rejected as RejectedCandidate[])[0]?.problem,
    );

  test("is skipped, and the chosen Python reports it", async () => {
    await machine.addLink(".venv/bin/python", "/no/such/python");
    await machine.addScript("venv/bin/python", "exit 1");
    await machine.addLink("path/python3");
    const env = { PATH: machine.path("path"), VIRTUAL_ENV: "/no/such/env" };
    expect(await find({ env })).toMatchObject({
      source: "PATH",
      skipped: [
        { path: "/no/such/env/bin/python", source: "VIRTUAL_ENV", problem: "does not exist" },
        { path: machine.path(".venv/bin/python"), problem: "links to a file that does not exist any more" },
        { path: machine.path("venv/bin/python"), source: "venv", problem: "does not start Python" },
      ],
    });
  });

  test("is named, with what is wrong with it, when nothing better is found", async () => {
    await machine.addLink(".venv/bin/python", "/no/such/python");
    await mkdir(machine.path("venv"));
    await mkdir(machine.path("path/python"), { recursive: true });
    await machine.addFile("path/python3");
    await expect(find({ env: { PATH: machine.path("path") } })).rejects.toThrow(
      [
        `No Python found. Looked at VIRTUAL_ENV, .venv, venv, CONDA_PREFIX, PATH and ${machine.home}/python-env.`,
        `${machine.path(".venv/bin/python")} links to a file that does not exist any more.`,
        `${machine.path("venv/bin/python")} does not exist.`,
        `${machine.path("path/python3")} may not be executed.`,
        `${machine.path("path/python")} is a folder.`,
        "Install Python 3.8 or newer, or create an environment with: python3 -m venv .venv",
      ].join(" "),
    );
  });

  test("because it would wait for ever for its pyvenv.cfg, which is a pipe, is skipped", async () => {
    await machine.addLink(".venv/bin/python");
    await machine.addLink("path/python3");
    const pipe = machine.path(".venv/pyvenv.cfg");
    await promisify(execFile)("mkfifo", [pipe]);
    const problem = `cannot start, because ${pipe} is not a file but a pipe, a socket or a device`;
    expect(await find({ env: { PATH: machine.path("path") } })).toMatchObject({
      source: "PATH",
      skipped: [{ problem }],
    });
  });

  test("because there are no file descriptors to start it with is not replaced by another", async () => {
    const venv = await machine.addVenv(".venv");
    await machine.addLink("path/python3");
    const script = inRepository("test/python/search-with-few-files.mjs");
    const search = inRepository("dist/python/find/find-interpreter.js");
    const given = ["-c", `ulimit -n 64 && exec "$0" "$@"`, process.execPath, script, search, machine.folder];
    const { stdout } = await promisify(execFile)("/bin/sh", given, { env: { PATH: machine.path("path") } });
    expect(new Set(JSON.parse(stdout))).toEqual(new Set(["EMFILE", join(venv, "bin", "python")]));
  });

  test("is not replaced by another when it was named", async () => {
    await machine.addVenv(".venv");
    await expect(find({ explicit: "nowhere/python" })).rejects.toThrow(
      `${machine.path("nowhere/python")} does not exist. ` +
        "Name the executable of a Python 3.8 or newer, or name none and let Granary look for one.",
    );
  });

  test("may be too old", async () => {
    await machine.addScript("seven/python", answering({ version: "3.7.17" }));
    await machine.addScript("two/python", answering({ version: "2.7.18" }));
    expect(await problemOf("seven/python")).toBe("is Python 3.7.17, and Granary needs 3.8 or newer");
    expect(await problemOf("two/python")).toBe("is Python 2.7.18, and Granary needs 3.8 or newer");
  });

  const reallyOld = oldPythons();
  test.runIf(reallyOld.length > 0)("may be really too old, and can still say so", async () => {
    for (const { version, path } of reallyOld) {
      expect(await problemOf(path)).toBe(`is Python ${version}, and Granary needs 3.8 or newer`);
    }
  });

  test("may be another implementation; PyPy is accepted", async () => {
    await machine.addScript("graal/python", answering({ version: "3.11.7", implementation: "graalpy" }));
    await machine.addScript("pypy/python", answering({ version: "3.10.14", implementation: "pypy" }));
    expect(await problemOf("graal/python")).toBe("is GraalPy 3.11.7, and Granary needs CPython");
    expect((await find({ explicit: "pypy/python" })).facts?.implementation).toBe("pypy");
  });

  test("may report an error, crash, print too much, print nothing or be no program", async () => {
    await machine.addScript("complains/python", "echo; echo 'no version is set' >&2", "exit 126");
    await machine.addScript("raises/python", `exec ${newestPython().path} -c 'import nowhere'`);
    await machine.addScript("crashes/python", "kill -SEGV $$");
    await machine.addScript("babbles/python", "yes");
    await machine.addScript("silent/python", "exit 0");
    await machine.addScript("lies/python", "echo; echo 'granary-probe: {\"version\": 3}'");
    await machine.addScript("orphan/python");
    await machine.addFile("orphan/python", "#!/no/such/interpreter\n");
    expect(await problemOf("complains/python")).toBe("does not start Python (no version is set)");
    expect(await problemOf("raises/python")).toBe(
      "does not start Python (ModuleNotFoundError: No module named 'nowhere')",
    );
    expect(await problemOf("crashes/python")).toMatch(/^crashes with SIGSEGV/);
    for (const name of ["babbles", "silent", "lies"]) {
      expect(await problemOf(`${name}/python`)).toBe("does not answer as Python does");
    }
    expect(await problemOf("orphan/python")).toMatch(/^cannot be started \(.*ENOENT/);
  });

  describe("because it hangs", () => {
    const hang = (name: string) =>
      machine.addScript(
        name,
        `echo $$ >> ${machine.path("pids")}`,
        "sleep 1000 &",
        `echo $! >> ${machine.path("pids")}`,
        "wait",
      );
    const pids = () =>
      existsSync(machine.path("pids")) ? readFileSync(machine.path("pids"), "utf8").trim().split("\n").map(Number) : [];
    const allEnded = () => until("the processes have ended", () => !pids().some(isRunning));
    const path = () => `${machine.path("path")}:/usr/bin:/bin`;

    test("is given up at the deadline, with all it started, and the next is taken", async () => {
      await machine.addLink("path/python3");
      const env = { PATH: path() };
      await find({ env }); // is known from now on, so that the deadline strikes only who hangs
      await hang(".venv/bin/python");
      const found = await find({ env, deadlineMs: 1500 });
      expect(found).toMatchObject({ source: "PATH", skipped: [{ problem: "did not answer within 1.5 s" }] });
      await allEnded();
    });

    test("does not delay an earlier good one", async () => {
      await machine.addLink("path/python3");
      await hang("path/python");
      expect((await find({ env: { PATH: path() } })).source).toBe("PATH");
      await allEnded();
    });

    test("is ended when the caller aborts", async () => {
      await hang("named/python");
      const caller = new AbortController();
      const finding = find({ explicit: "named/python", signal: caller.signal, env: { PATH: path() } });
      finding.catch(() => undefined);
      await until("it has been started", () => pids().length === 2);
      caller.abort(new Error("changed my mind"));
      await expect(finding).rejects.toThrow("changed my mind");
      await allEnded();
    });

    test("and with an aborted signal nothing is started", async () => {
      await hang("named/python");
      await expect(find({ explicit: "named/python", signal: AbortSignal.abort() })).rejects.toThrow("aborted");
      expect(pids()).toEqual([]);
    });
  });
});

describe("a Python that can be used", () => {
  let machine: Machine;
  beforeEach(async () => {
    machine = await Machine.make();
    await machine.addVenv(".venv");
  });
  afterEach(() => machine.remove());
  const find = (env = {}, cwd = machine.folder) => findInterpreter({ cwd, env });

  test("ignores modules in the working folder", async () => {
    for (const name of ["json", "importlib", "contextlib", "re", "types"]) {
      await machine.addFile(`${name}.py`, "raise SystemExit('not me')\n");
    }
    // An empty entry means the working folder; many a profile makes one by accident.
    for (const env of [{}, { PYTHONPATH: ":/elsewhere" }, { PYTHONPATH: "." }]) {
      expect((await find(env)).facts?.version).toBe(newestPython().version);
    }
  });

  test("may print other text at its start", async () => {
    const code = 'import atexit, sys\nprint("welcome", end="")\natexit.register(print, "bye")\n';
    await machine.addFile("noise/sitecustomize.py", code);
    expect((await find({ PYTHONPATH: machine.path("noise") })).source).toBe(".venv");
  });

  test("is found for a missing folder, which is reported elsewhere", async () => {
    const found = await find({ VIRTUAL_ENV: machine.path(".venv") }, machine.path("no/such/folder"));
    expect(found.source).toBe("VIRTUAL_ENV");
  });

  test("is asked in the environment that a kernel would have", async () => {
    await machine.addFile(
      "spy/sitecustomize.py",
      `import os\nopen(${JSON.stringify(machine.path("seen"))}, "w").write(str(dict(os.environ)))\n`,
    );
    await find({ PYTHONPATH: machine.path("spy"), OPENAI_API_KEY: "sk-secret", VIRTUAL_ENV: "" });
    const seen = readFileSync(machine.path("seen"), "utf8");
    expect(seen).toContain(`'VIRTUAL_ENV': '${machine.path(".venv")}'`);
    expect(seen).not.toContain("sk-secret");
  });
});

/** A shell command that answers the probe as some Python would. */
function answering(facts: { readonly version: string; readonly implementation?: string }): string {
  const whole = { implementation: "cpython", executable: "/bin/sh", prefix: "/", basePrefix: "/", ...facts };
  return `echo; echo 'granary-probe: ${JSON.stringify({ ...whole, sitePackages: [], modules: [], watched: {} })}'`;
}

/** Pythons that pyenv installed, if any. */
function oldPythons(): readonly { readonly version: string; readonly path: string }[] {
  const versions = join(homedir(), ".pyenv/versions");
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .filter((version) => /^(2\.7|3\.[0-7])\.\d+$/.test(version))
    .map((version) => ({ version, path: join(versions, version, "bin/python") }));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie that its new parent has not reaped yet.
  const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return !/\) Z /.test(state);
}
