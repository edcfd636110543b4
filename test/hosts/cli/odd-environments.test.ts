import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { newestPython, oldestPython } from "../../environment/pythons.ts";
import { baseEnvironment, type Finished, granary, granaryProcess, testFolder } from "./granary.ts";

/** Runs the program after another command in the same shell. */
async function granaryAfter(before: string, args: readonly string[]): Promise<Finished> {
  const given = ["-c", `${before} && exec "$0" "$@"`, process.execPath, inRepository("bin/granary"), ...args];
  const running = promisify(execFile)("/bin/sh", given, { cwd: testFolder, env: baseEnvironment() });
  running.child.stdin?.end();
  return running.then(
    (output) => ({ ...output, exitCode: 0 }),
    ({ stdout, stderr, code }) => ({ stdout, stderr, exitCode: code }),
  );
}

describe("a deleted working folder", () => {
  const inGone = (args: readonly string[]) => granaryAfter("mkdir -p gone && cd gone && rmdir ../gone", args);
  const sentence = "The current folder no longer exists. Change to another one: cd ~";

  test.each([["run -c 1"], ["run file.py"], ["doctor"], ["mcp"]])(
    "is reported in a sentence by granary %s",
    async (typed) => {
      expect(await inGone(typed.split(" "))).toEqual({ stdout: "", stderr: `granary: ${sentence}\n`, exitCode: 2 });
    },
  );

  test("is reported in the document of --json", async () => {
    const { stdout, exitCode } = await inGone(["run", "--json", "-c", "1"]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", error: { code: "usage", message: sentence } });
    expect(exitCode).toBe(2);
  });

  test("does not matter to commands that name another folder or need none", async () => {
    expect(await inGone(["mcp", "--cwd", testFolder])).toMatchObject({ stderr: "", exitCode: 0 });
    expect(await inGone(["artifact", "--list"])).toMatchObject({ exitCode: 0 });
    expect(await inGone(["run", "--cwd", testFolder, "-c", "1"])).toEqual({ stdout: "1\n", stderr: "", exitCode: 0 });
  });
});

describe("a limit on open files", () => {
  test.each([newestPython(), oldestPython()])("of 64 is enough for Python $version", async ({ path }) => {
    const code = "import subprocess; subprocess.check_output(['echo', 'a child runs'])";
    const { stdout, stderr } = await granaryAfter("ulimit -n 64", ["run", "--python", path, "-c", code]);
    expect({ stdout, stderr }).toEqual({ stdout: "b'a child runs\\n'\n", stderr: "" });
  });

  test("that is too low for Granary itself is reported with the limit to raise", async () => {
    expect(await granaryAfter("ulimit -n 24", ["artifact", "list"])).toEqual({
      stdout: "",
      stderr: "granary: too many files are open. Raise the limit: ulimit -n 4096\n",
      exitCode: 3,
    });
    const { stderr, exitCode } = await granaryAfter("ulimit -n 24", ["run", "-c", "1"]);
    expect(stderr).toMatch(/^granary: too many files are open.*ulimit -n 4096/i);
    expect(exitCode).toBe(3);
  });
});

describe("unreadable and unwritable files do not block the program", () => {
  test("a pipe among the modules is named", async () => {
    const project = join(testFolder, "with pipe");
    const modules = join(project, ".granary/modules");
    await mkdir(modules, { recursive: true });
    await promisify(execFile)("mkfifo", [join(modules, "pipe.py")]);
    const { stderr, exitCode } = await granary(["run", "--trust", "-c", "1"], { cwd: project });
    expect(stderr).toContain(`${join(modules, "pipe.py")} is not a file but a folder, a pipe`);
    expect(exitCode).toBe(3);
  });

  test.skipIf(process.platform !== "linux")("cells run without a writable folder of Granary's own", async () => {
    const env = { GRANARY_HOME: "/proc/granary" };
    expect(await granary(["run", "-c", "6*7"], { env })).toEqual({ stdout: "42\n", stderr: "", exitCode: 0 });
    const { stderr, exitCode } = await granary(["setup"], { env });
    expect(stderr).toContain("Granary's folder /proc/granary cannot be written");
    expect(exitCode).toBe(3);
  });
});

test.skipIf(process.getuid?.() !== 0)("a user without an account and without HOME gets a sentence", async () => {
  const asNobody = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "env", "-u", "HOME"] as const;
  const run = (args: readonly string[], ...more: readonly string[]) =>
    granaryProcess(args, { cwd: "/", command: [...asNobody, ...more, process.execPath, inRepository("bin/granary")] });
  for (const args of [["run", "-c", "1"], ["run", "--session", "a", "-c", "1"], ["doctor"]]) {
    const { stdout, stderr, exitCode } = await run(args, "-u", "GRANARY_HOME");
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 3 });
    expect(stderr).toMatch(/^granary: User 54321 has no home folder: HOME is not set, .* Set HOME to .*\n$/);
  }
  expect(await run(["--version"], "-u", "GRANARY_HOME")).toMatchObject({ exitCode: 0, stderr: "" });
});
