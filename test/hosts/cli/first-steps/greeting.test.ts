import { mkdirSync, mkdtempSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { type CommandContext, processContext } from "../../../../src/hosts/cli/command/command-context.ts";
import { isFirstRun } from "../../../../src/hosts/cli/first-steps/first-run.ts";
import { greet } from "../../../../src/hosts/cli/first-steps/greeting.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { granary, testFolder } from "../granary.ts";

/** The beginning of `granary` on a terminal, before the console draws. */
async function firstRun(HOME: string, PATH: string) {
  let said = "";
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      said += chunk;
      done();
    },
  });
  const context: CommandContext = {
    ...{
      cwd: HOME,
      env: { HOME, PATH, TERM: "xterm", NO_COLOR: "1" },
      stdin: Readable.from([]),
      stdout,
      stderr: stdout,
    },
    isTerminal: () => true,
    onSignal: () => () => {},
    exit: () => {},
    loadBackend: processContext.loadBackend,
  };
  const canStart = isFirstRun(context) ? await greet(context) : null;
  return { said, canStart };
}

test("granary without anything set up says what it found, and what to do next", async () => {
  const home = mkdtempSync(join(testFolder, "home-"));
  mkdirSync(join(home, ".cursor"));
  const { said, canStart } = await firstRun(home, dirname(newestPython().path));
  expect(canStart).toBe(true);
  expect(said).toMatch(
    /^Welcome to Granary\.\n {2}Python {2}\/.+ \(PATH\)\n {2}agents {2}Cursor\n {2}next {4}type Python below/,
  );
  expect(said).toContain("granary init gives these agents Python");
});

test("without a Python, it says how to get one and ends", async () => {
  const home = mkdtempSync(join(testFolder, "home-"));
  const { said, canStart } = await firstRun(home, "/nowhere");
  expect(said).toMatch(/Python {2}none that works\n {2}agents {2}none found\n {2}next {4}No Python was found\./);
  expect(said).toContain("Install Python 3.8 or newer.");
  expect(canStart).toBe(false);
});

test("the second run does not greet", async () => {
  const home = mkdtempSync(join(testFolder, "home-"));
  mkdirSync(join(home, ".granary"));
  expect(await firstRun(home, "/nowhere")).toEqual({ said: "", canStart: null });
});

test("granary doctor ends with a verdict", async () => {
  const fine = await granary(["doctor"]);
  expect(fine.stdout).toMatch(/\nVerdict: ready on \/.+\.\n$/);
  const broken = await granary(["doctor"], { env: { PATH: "/nowhere" } });
  expect(broken.stdout).toMatch(/\nVerdict: not ready, because of 1 problem; see the top\.\n$/);
});
