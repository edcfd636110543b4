// Part of `npm run check`: the Python side compiles on the oldest Python of this machine.
import { readdirSync } from "node:fs";
import { findPythons } from "../test/environment/find-pythons.mjs";
import { inRepository, say } from "./repository.mjs";
import { runQuietly } from "./run-quietly.mjs";

const compileInMemory = `
import sys
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        compile(file.read(), name, "exec", dont_inherit=True)
`;

const [oldest] = await findPythons();
const files = readdirSync(inRepository("python"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".py"))
  .map((name) => `python/${name}`);

if (oldest === undefined) {
  say("no Python 3.8 or newer was found, so the files in python/ were not checked.");
  process.exitCode = 1;
} else {
  await runQuietly(oldest.path, ["-c", compileInMemory, ...files], {
    failed: `the files in python/ do not compile on Python ${oldest.version}.`,
  });
  say(`${files.length} files in python/ compile on Python ${oldest.version}.`);
}
