import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { environment, newestPython, oldestPython } from "../../../environment/pythons.ts";
import { firstFew, isLong } from "../../../environment/variants.ts";
import { py } from "../../../kernel/py.ts";
import { baseEnvironment, type Finished, granary, testFolder } from "../granary.ts";

const folder = join(testFolder, "archives");
await mkdir(join(folder, "app"), { recursive: true });
await mkdir(join(folder, "empty"), { recursive: true });
await writeFile(join(folder, "app/neighbour.py"), "value = 42\n");
await writeFile(
  join(folder, "app/__main__.py"),
  py`
    """What it is about."""
    import sys, os, neighbour
    print(sys.argv, __name__, __doc__, repr(__package__), __spec__.name, neighbour.value)
    print(os.path.abspath(__file__), os.path.abspath(sys.path[0]), os.getcwd() in sys.path, type(__loader__).__name__)
    def inner():
        sys.exit(int(sys.argv[1])) if sys.argv[1:] else 1/0
    inner()
  `,
);

const run = promisify(execFile);
const zip = py`
  import sys, zipfile
  for name, files in (("app.zip", ["__main__.py", "neighbour.py"]), ("empty.zip", ["neighbour.py"])):
      with open(name, "wb") as file:
          file.write(b"#!/usr/bin/env python3\n")
          with zipfile.ZipFile(file, "w") as archive:
              for each in files:
                  archive.write("app/" + each, each)
`;
await run(newestPython().path, ["-c", zip], { cwd: folder });

/** What Python itself makes of it, without the two frames of its own that it shows for folders. */
async function python(executable: string, args: readonly string[]): Promise<Finished> {
  const { stdout, stderr, code } = await run(executable, [...args], { cwd: folder, env: baseEnvironment() }).then(
    (said) => ({ ...said, code: 0 }),
    (error) => error as { stdout: string; stderr: string; code: number },
  );
  return { stdout, stderr: stderr.replaceAll(/ {2}File .*\brunpy\b.*\n(?: {4}.*\n)*/g, ""), exitCode: code };
}

const main = environment("main");
const backends = [
  { name: "the runner", isJupyter: false, executable: newestPython().path, options: [] },
  { name: "the runner on the oldest Python", isJupyter: false, executable: oldestPython().path, options: [] },
  ...("python" in main
    ? [{ name: "a Jupyter kernel", isJupyter: true, executable: main.python, options: ["--backend", "zmq"] }]
    : []),
];

describe.each(backends)("on $name", ({ executable, options, isJupyter }) => {
  const of = (cases: readonly string[], count = 1) => (isJupyter ? firstFew(cases, count) : cases);
  const ours = (...args: string[]) => granary(["run", "--python", executable, ...options, ...args], { cwd: folder });

  test.each(of(["app.zip", "app", "app/"]))("%s runs as python runs it", async (typed) => {
    expect(await ours(typed, "5", "-c", "--json")).toEqual(await python(executable, [typed, "5", "-c", "--json"]));
  });

  test.each(of(["app", "app.zip"]))("a traceback of %s begins in its __main__.py", async (typed) => {
    const { stderr, exitCode } = await ours(typed);
    expect(exitCode).toBe(1);
    // Old Pythons do not show the lines of a file in a zip file.
    const frames = (text: string) => text.split("\n").filter((line) => !line.startsWith("    "));
    expect(frames(stderr)).toEqual(frames((await python(executable, [join(folder, typed)])).stderr));
  });

  // The same lines read such a program for a Jupyter kernel, which takes half a second to start.
  test.each(of(["empty", "empty.zip"], 0))("%s has no __main__.py, and Python's sentence says so", async (typed) => {
    const full = join(folder, typed);
    expect(await ours(typed)).toEqual(await python(executable, [full]));
  });
});

describe("granary run", () => {
  test("a script that ends like a zip file is still a script", async () => {
    await writeFile(join(folder, "mark.py"), "print('PK\\x05\\x06'.encode())\n# PK\x05\x06\n");
    expect(await granary(["run", "mark.py"], { cwd: folder })).toEqual(await python(newestPython().path, ["mark.py"]));
  });

  test("granary FOLDER is short for it, and says the same of a folder without a program", async () => {
    expect(await granary(["app", "7"], { cwd: folder })).toMatchObject({ stderr: "", exitCode: 7 });
    const short = await granary(["empty"], { cwd: folder });
    expect(short.stderr).toContain("can't find '__main__' module");
    expect(short).toEqual(await granary(["run", "empty"], { cwd: folder }));
  });
});

describe.each(backends.filter(({ isJupyter }) => isLong || !isJupyter))(
  "a script that is not UTF-8 and declares no encoding, on $name",
  ({ executable, options }) => {
    const scripts: Readonly<Record<string, string>> = {
      text: "x = 1\ny = 'caf\xe9'\n",
      comment: "print(1)\n\n# caf\xe9\nprint(2)\n",
      declared: "#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\nprint(ascii('caf\xe9'))\n",
      late: "x = 1\n# -*- coding: latin-1 -*-\ny = 'caf\xe9'\n",
    };
    test.each(Object.keys(scripts))("gets Python's message: %s", async (name) => {
      await writeFile(join(folder, `${name}.py`), Buffer.from(scripts[name] ?? "", "latin1"));
      const [ours, theirs] = await Promise.all([
        granary(["run", "--python", executable, ...options, `${name}.py`], { cwd: folder }),
        python(executable, [join(folder, `${name}.py`)]),
      ]);
      // Python 3.8 has a line more and an older address.
      const message = (stderr: string) => /SyntaxError: .*(?=see http)/.exec(stderr)?.[0];
      expect({ ...ours, stderr: message(ours.stderr) }).toEqual({ ...theirs, stderr: message(theirs.stderr) });
      if (theirs.exitCode !== 0)
        expect(ours.stderr).toMatch(/^SyntaxError: Non-UTF-8 code starting with '\\xe9' in file/);
    });
  },
);
