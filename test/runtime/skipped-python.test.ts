import { execFileSync } from "node:child_process";
import { chownSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { newestPython } from "../environment/pythons.ts";
import { environmentIn, temporaryFolder } from "./runtimes.ts";

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)("the first result names an environment of another user that is not used", async () => {
  const folder = temporaryFolder();
  execFileSync(newestPython().path, ["-m", "venv", "--without-pip", join(folder, ".venv")]);
  chownSync(join(folder, ".venv"), 65_534, 65_534);
  await using runtime = await createRuntime({ cwd: folder, env: environmentIn(folder) });
  const { notices, output } = await runtime.session().run("import sys; print(sys.prefix)").result;
  expect(notices.join("\n")).toContain(`${join(folder, ".venv/bin/python")} belongs to another user (uid 65534)`);
  expect(output).not.toContain(folder);
  expect((await runtime.session().run("1").result).notices).toEqual([]);
});
