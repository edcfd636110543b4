import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { runOptions } from "../../../src/hosts/cli/run/run-arguments.ts";
import { granary, RunningGranary, testFolder } from "./granary.ts";

describe("a mistake on the command line names what would work, and ends with exit code 2", () => {
  test.each<[args: readonly string[], answer: string]>([
    [["rnu"], "There is no command rnu. Did you mean: granary run"],
    [[""], "The name of the command is empty. See: granary --help"],
    [["dance"], "There is no command dance. See: granary --help"],
    [["toString"], "There is no command toString. See: granary --help"],
    [["-c", "1"], "-c belongs behind a command, as in: granary run -c …"],
    [["--session=etl"], "--session=etl belongs behind a command, as in: granary run --session=etl …"],
    [["-m", "pytest"], "-m belongs behind a command, as in: granary run -m …"],
    [["--xyzzy"], "Unknown option --xyzzy. See: granary --help"],
    [["run", "--tiemout", "3"], "Unknown option --tiemout. Did you mean --timeout?"],
    [["run", "--xyzzy"], "Unknown option --xyzzy."],
    ...["--constructor", "--toString", "--__proto__", "--hasOwnProperty"].flatMap((typed): [string[], string][] => [
      [["run", typed, "strict"], `Unknown option ${typed}.`],
      [["doctor", `${typed}=1`], `Unknown option ${typed}.`],
    ]),
    [["run", "--sandbox", "strict"], "Did you mean --sandbox=strict? (A file of that name would be ./strict.)"],
    [["run", "--cwd", "sandbox", "strict"], `${join(testFolder, "strict")} cannot be read: it does not exist.`],
    [["run", "-c"], "-c needs a value."],
    [["run", "--json=yes", "-c", "1"], "--json takes no value."],
    [
      ["run", "-c", "1", "script.py"],
      "Give either FILE or -c CODE; both script.py and -c were given. (Quote code with spaces in it.)",
    ],
    [["run", "-m"], "-m needs the name of a module."],
    [["notebook", "run", "script.py"], "script.py is not a notebook. To run it: granary run script.py"],
    [["notebook", "show", "script.py"], "script.py is not a notebook. To run it: granary run script.py"],
    [["notebook", "tag", "script.py", "0"], "script.py is not a notebook. To run it: granary run script.py"],
    [["missing.py"], `${join(testFolder, "missing.py")} cannot be read: it does not exist.`],
    ...["soon", "-1", "", "NaN"].map((typed): [string[], string] => [
      ["run", `--timeout=${typed}`, "-c", "1"],
      `--timeout takes seconds, as in --timeout 30 (0 for no timeout); got ${JSON.stringify(typed)}.`,
    ]),
    [["run", "missing.py"], `${join(testFolder, "missing.py")} cannot be read: it does not exist.`],
  ])("granary %j", async (args, answer) => {
    await writeFile(join(testFolder, "script.py"), "");
    expect(await granary(args)).toEqual({ stdout: expect.anything(), stderr: `granary: ${answer}\n`, exitCode: 2 });
  });

  test("code from a pipe that is not text", async () => {
    const { stderr, exitCode } = await granary(["run"], { stdin: Uint8Array.of(0xff, 0xfe) });
    expect(stderr).toBe("granary: Standard input is not UTF-8 text.\n");
    expect(exitCode).toBe(2);
  });
});

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]]])("granary %j lists the commands, with examples", async (args) => {
    const { stdout, exitCode } = await granary(args);
    expect(stdout).toContain("granary run -c 'print(6*7)'");
    expect(exitCode).toBe(0);
  });

  test.each([[["run", "--help"]], [["run", "-c", "1", "-h"]], [["help", "run"]]])(
    "granary %j explains every option and exit code of run",
    async (args) => {
      const { stdout, exitCode } = await granary(args);
      for (const option of Object.keys(runOptions)) expect(stdout).toContain(`--${option}`);
      for (const code of ["0 success", "1 a cell", "2 wrong", "3 Granary", "124 timed", "130 cancelled"]) {
        expect(stdout).toContain(code);
      }
      expect(exitCode).toBe(0);
    },
  );

  test("ends quietly when its reader has gone", async () => {
    const help = new RunningGranary(["--help"]);
    help.process.stdout?.destroy();
    expect(await help.finished).toEqual({ stdout: "", stderr: "", exitCode: 0 });
  });

  test("fits into 80 columns", async () => {
    for (const args of [
      ["--help"],
      ["run", "--help"],
      ["doctor", "--help"],
      ["setup", "--help"],
      ...["hub", "sessions", "look", "wait", "attach"].map((name) => [name, "--help"]),
    ]) {
      const { stdout } = await granary(args);
      expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    }
  });
});

test("granary --help NAME is the help of that command, and version names the option", async () => {
  expect(await granary(["--help", "look"])).toEqual(await granary(["look", "--help"]));
  expect((await granary(["version"])).stderr).toContain("Did you mean: granary --version\n");
});

test.each([
  ["look", "nobody"],
  ["sessions", "stop", "nobody"],
  ["wait", "run-1"],
])("granary %s %s --json prints a document also for an error", async (...args: string[]) => {
  const { stdout, stderr, exitCode } = await granary([...args, "--json"]);
  const { status, error } = JSON.parse(stdout);
  expect([status, `granary: ${error.message}\n`, exitCode]).toEqual(["failed", stderr, 2]);
});

test.each([
  [["hub", "--force"], "--force is for granary hub stop."],
  [["hub", "log", "--json"], "granary hub log has no --json."],
  [["run", "--env", "-c", "1"], '--env takes NAME=VALUE or NAME; got "-c".'],
])("granary %j is wrong usage", async (args, sentence) => {
  expect(await granary(args)).toMatchObject({ exitCode: 2, stderr: `granary: ${sentence}\n` });
});

test("granary skill --plain has no front matter, so that it can be added to a file", async () => {
  const [whole, plain] = await Promise.all([granary(["skill"]), granary(["skill", "--plain"])]);
  expect(plain.stdout).toMatch(/^# Granary\n/);
  expect(whole.stdout).toBe(`${whole.stdout.slice(0, whole.stdout.length - plain.stdout.length)}${plain.stdout}`);
  expect(whole.stdout).toMatch(/^---\nname: granary\n/);
});

test("granary --version is the version of the package", async () => {
  for (const typed of ["--version", "-V", "-v"])
    expect(await granary([typed])).toEqual({ stdout: `${packageJson.version}\n`, stderr: "", exitCode: 0 });
});
