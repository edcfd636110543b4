import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { environment } from "./environment/pythons.ts";

const run = promisify(execFile);
const packages = environment("plain");

// A folder with nothing but `granary` in it, as `npm link` would put it on PATH, and a place for pictures.
const folder = mkdtempSync(join(tmpdir(), "granary-readme-"));
symlinkSync(inRepository("bin/granary"), join(folder, "granary"));
const context = {
  ...process.env,
  ...("python" in packages ? { VIRTUAL_ENV: dirname(dirname(packages.python)) } : {}),
  GRANARY_HOME: join(folder, ".granary"),
  PATH: folder + delimiter + process.env.PATH,
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

/** In a ```console fence, what follows `$ ` is typed, and the lines below it are the answer. */
function commandsIn(page: string): { command: string; output: string }[] {
  const fences = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, text = ""]) => text);
  return fences
    .flatMap((text) => text.split(/^\$ /m).slice(1))
    .map((text) => {
      const [command = "", ...lines] = text.split("\n");
      return { command, output: lines.join("\n") };
    });
}

/** From Python 3.11 on, tracebacks underline the place within the line. */
function withoutCarets(text: string): string {
  return text.replace(/^ +[~^]+\n/gm, "");
}

/** `…` stands for what differs from machine to machine. */
function asPattern(output: string): RegExp {
  const literal = output.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}$`);
}
