import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { asPattern, commandsIn, withoutCarets } from "./console-fences.ts";
import { environment } from "./environment/pythons.ts";

const run = promisify(execFile);
const packages = environment("plain");

// A folder with nothing but `granary` in it, as `npm link` would put it on PATH, and a place for pictures.
const folder = mkdtempSync(join(tmpdir(), "granary-readme-"));
symlinkSync(inRepository("bin/granary"), join(folder, "granary"));
// Sessions stay in a hub, as they do for users.
const { GRANARY_HUB: _, ...variables } = process.env;
const context = {
  ...variables,
  ...("python" in packages ? { VIRTUAL_ENV: dirname(dirname(packages.python)) } : {}),
  GRANARY_HOME: join(folder, ".granary"),
  PATH: folder + delimiter + process.env.PATH,
};
afterAll(async () => {
  await run("granary", ["hub", "stop", "--force"], { env: context });
  rmSync(folder, { recursive: true, force: true });
});

test("README is at most 120 lines long", () => {
  expect(readFileSync(inRepository("README.md"), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
});

for (const { command, output } of commandsIn(readFileSync(inRepository("README.md"), "utf8"))) {
  test(`README tells the truth about: ${command}`, async ({ skip }) => {
    if (command.includes("matplotlib") && "missing" in packages) skip(packages.missing);
    const said = await run("sh", ["-c", `exec 2>&1; ${command}`], { cwd: inRepository("."), env: context }).then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    );
    expect(withoutCarets(said)).toMatch(asPattern(withoutCarets(output)));
  });
}
