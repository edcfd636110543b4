import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { asPattern, commandsIn, withoutCarets } from "./console-fences.ts";
import { environment } from "./environment/pythons.ts";
import { commandHere } from "./hosts/cli/command-here.ts";

/** Pages whose commands are run in order, in one folder; each page has the number of its commands as a lower limit.
 * The cookbook is first, since the ids of executions count in the hub. */
const pages: readonly [page: string, commands: number][] = [
  ["docs/cookbook.md", 35],
  ["docs/from/ipython.md", 6],
  ["docs/from/nbclient.md", 4],
  ["docs/from/papermill.md", 5],
  ["docs/tutorial.md", 14],
];

const packages = environment("plain");
const folder = mkdtempSync(join(tmpdir(), "granary-pages-"));
const programs = join(folder, "programs");
mkdirSync(programs);
symlinkSync(inRepository("bin/granary"), join(programs, "granary"));
const env = {
  ...("python" in packages ? { VIRTUAL_ENV: dirname(dirname(packages.python)) } : {}),
  HOME: folder,
  GRANARY_HOME: join(folder, ".granary"),
  PATH: programs + delimiter + process.env.PATH,
};

afterAll(async () => {
  await commandHere(["hub", "stop", "--force"], { cwd: folder, env, stdin: Readable.from([]) });
  rmSync(folder, { recursive: true, force: true });
});

/** Commands of Granary run in this process, which takes a tenth of the time; a shell runs all others. */
async function answer(command: string, cwd: string): Promise<string> {
  const words = plainWords(command);
  if (words === null) {
    const shell = promisify(execFile)("sh", ["-c", `exec 2>&1; ${command}`], { cwd, env });
    return shell.then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    );
  }
  let said = "";
  const both = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString();
      done();
    },
  });
  await commandHere(words, { cwd, env, stdin: Readable.from([]), stdout: both, stderr: both });
  return said;
}

/** The arguments of a command of Granary that needs no shell; null for others. */
function plainWords(command: string): readonly string[] | null {
  const words = command.match(/'[^']*'|[^\s'"$|<>&;*]+/g) ?? [];
  const isPlain = words.join(" ") === command.replaceAll(/ +(?=(?:[^']*'[^']*')*[^']*$)/g, " ");
  return isPlain && words[0] === "granary" ? words.slice(1).map((word) => word.replace(/^'(.*)'$/s, "$1")) : null;
}

test("a command that needs a shell gets one", () => {
  expect(plainWords("granary run -c 'x = 1'")).toEqual(["run", "-c", "x = 1"]);
  expect(plainWords("granary notebook text a.ipynb > a.txt")).toBeNull();
  expect(plainWords("echo 'print(1)' | granary")).toBeNull();
});

describe.skipIf("missing" in packages).each(pages)("%s", (page, least) => {
  const commands = commandsIn(readFileSync(inRepository(page), "utf8"));
  const cwd = join(folder, page.replaceAll("/", "-"));

  test("shows the commands, and each answers as the page says", async () => {
    expect(commands.length).toBeGreaterThanOrEqual(least);
    mkdirSync(cwd);
    for (const { command, output } of commands) {
      const said = withoutCarets(await answer(command, cwd));
      expect(said, command).toMatch(asPattern(withoutCarets(output)));
    }
  });
});
