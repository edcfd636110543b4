import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../../../scripts/repository.mjs";
import { granaryProcess, testFolder } from "./granary.ts";

const hello = ["run", "-c", "print('hello')"];
const fine = { stdout: "hello\n", stderr: "", exitCode: 0 };
const home = join(testFolder, "compiled-home");
const folder = join(home, "compiled");
const run = () => granaryProcess(hello, { env: { GRANARY_HOME: home } });

describe("granary run keeps its compiled code for the next run", () => {
  test("once, for its owner only, and runs with it", async () => {
    expect(await run()).toEqual(fine);
    const [name = ""] = readdirSync(folder);
    const compiled = readFileSync(join(folder, name));
    expect(compiled.length).toBeGreaterThan(100_000);
    expect(await run()).toEqual(fine);
    expect(readdirSync(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name)).equals(compiled)).toBe(true);
  });

  test("under a name of its content: an update of the same length must not run the code of before", async () => {
    await run();
    for (const name of ["run/core", "run-in-hub/core", "run-in-hub/client"]) {
      const [, content = "", code = ""] =
        /^\/\/(.+)\n([\s\S]*)$/.exec(readFileSync(inRepository(`dist/${name}.js`), "utf8")) ?? [];
      expect(createHash("sha256").update(code).digest("hex").slice(0, 32)).toBe(content);
      if (name === "run/core") expect(readdirSync(folder).join()).toContain(`-${content}-`);
    }
  });

  test("and compiles again what was damaged", async () => {
    await run();
    const [name = ""] = readdirSync(folder);
    for (const content of ["", "no code", readFileSync(join(folder, name)).subarray(0, 5000)]) {
      writeFileSync(join(folder, name), content);
      expect(await run()).toEqual(fine);
      expect(readFileSync(join(folder, name)).length).toBeGreaterThan(100_000);
    }
  });

  test("where it can: a folder that cannot be made is no problem", async () => {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    writeFileSync(folder, "a file");
    expect(await run()).toEqual(fine);
  });
});

test("it loads parts of Node only when it uses them, and is plain ASCII, which Node reads faster", async () => {
  const core = readFileSync(inRepository("dist/run/core.js"), "latin1");
  expect(/[^\0-\x7f]/.exec(core)).toBeNull();
  const tell = join(testFolder, "tell-loaded.cjs");
  const parts = '["internal/fs/promises", "zlib", "timers/promises", "perf_hooks"]';
  const loaded = `${parts}.filter((name) => process.moduleLoadList.includes("NativeModule " + name))`;
  writeFileSync(tell, `process.on("exit", () => require("fs").writeSync(2, JSON.stringify(${loaded})));`);
  await run();
  const { stderr } = await granaryProcess(hello, { env: { GRANARY_HOME: home, NODE_OPTIONS: `--require ${tell}` } });
  expect(stderr).toBe("[]");
});

test("the code of every run is in one file", () => {
  const core = readFileSync(inRepository("dist/run/core.js"), "utf8");
  for (const name of [
    "hosts/cli/run/run-typed-cells",
    "hosts/cli/report/live-report",
    "runtime/local-runtime",
    "runtime/kernel/launch-kernel",
    "session/local-session",
    "session/bootstrap/bootstrap",
    "kernel/runner/runner-kernel",
    "output/capture",
  ]) {
    // Where one is missing, `ofEveryRun` in scripts/build.mjs lacks a module that is imported later.
    expect(core).toContain(`/${name}.js`);
  }
});

test("every way to run code, and a command that run does not have, work from the smaller bundle", async () => {
  expect((await granaryProcess(["run", "--help"])).stdout).toContain("granary run");
  expect((await granaryProcess(["run", "--json", "-c", "1"])).stdout).toContain('"status":"ok"');
  expect((await granaryProcess(["run", "nosuch.ipynb"])).stderr).toContain("nosuch.ipynb");
  expect((await granaryProcess(["run", "-"], { stdin: "print(2)" })).stdout).toBe("2\n");
});
