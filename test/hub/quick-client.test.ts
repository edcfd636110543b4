import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../../scripts/repository.mjs";
import { quickArguments } from "../../src/hosts/cli/run/quick/quick-arguments.ts";
import { parseRunArguments } from "../../src/hosts/cli/run/run-arguments.ts";
import { Peer } from "../../src/hub/wire/peer.ts";
import { ownVersion } from "../../src/support/files/own-version.ts";
import { baseEnvironment } from "../hosts/cli/granary.ts";
import { TestHub } from "./test-hub.ts";

const hub = new TestHub();
beforeAll(() => hub.run("etl", "1"));
afterAll(() => hub[Symbol.asyncDispose]());

describe("granary run --session NAME -c CODE without a terminal", () => {
  test("loads two files, and of Node's modules only those that the connection needs", () => {
    const seen = join(hub.folder, "seen.cjs");
    writeFileSync(
      seen,
      `const before = new Set(process.moduleLoadList);
       process.on("exit", () => {
         const modules = process.moduleLoadList.filter((name) => !before.has(name) && name.startsWith("NativeModule "));
         const files = Object.keys(require.cache).filter((name) => name !== __filename);
         process.stderr.write(JSON.stringify({ files, modules: modules.map((name) => name.slice(13)) }));
       });`,
    );
    const code = "import sys; print('seen', file=sys.stderr, end='') or 6 * 7";
    const script = `"$0" -r "$1" "$2" run --session etl -c "$3" 2>&1 >/dev/null </dev/null`;
    const args = ["-c", script, process.execPath, seen, inRepository("bin/granary"), code];
    const env = { ...baseEnvironment(), ...hub.env };
    const said = execFileSync("/bin/sh", args, { cwd: hub.folder, env, encoding: "utf8" });
    expect(said).toMatch(/^seen\{/);
    const { files, modules } = JSON.parse(said.slice("seen".length)) as Record<"files" | "modules", string[]>;
    expect(files).toEqual([inRepository("bin/granary"), inRepository("dist/run-in-hub/client.js")]);
    const notForIt =
      /^(child_process|crypto|os|vm|module|http|worker_threads|util\/parse_args|.*parse_args.*|fs\/promises)$/;
    expect(modules.filter((name) => notForIt.test(name))).toEqual([]);
    expect(modules).toContain("net");
  });

  test("leaves all calls but the usual ones to the full command, which explains mistakes", async () => {
    const mistake = await hub.start(["run", "--session", "etl", "--timeuot", "3", "-c", "1"]).finished;
    expect(mistake).toMatchObject({ exitCode: 2, stdout: "" });
    expect(mistake.stderr).toContain("Did you mean --timeout?");
    const json = await hub.start(["run", "--session", "etl", "--json", "-c", "6 * 7"]).finished;
    expect(JSON.parse(json.stdout)).toMatchObject({ status: "ok" });
  });

  test("starts the hub where none runs", async () => {
    await using fresh = new TestHub();
    const { stdout, exitCode } = await fresh.start(["run", "--session", "new", "-c", "6 * 7"]).finished;
    expect({ stdout, exitCode }).toEqual({ stdout: "42\n", exitCode: 0 });
  });

  test.each([
    ["--session", "etl", "-c", "1"],
    ["-c", "-1", "--session", "etl", "-c", "--session"],
    ["--reset", "--timeout", "30", "--session", "a.b-c_9", "script.py", "--session", "other", "-c", "x"],
    ["--session", "first", "--session", "last", "./script.py"],
  ])("understands its arguments as the full command does: %s %s %s %s", (...args) => {
    expect(quickArguments(args)).toEqual(parseRunArguments(args, {}));
    expect(quickArguments(args)).not.toBeNull();
  });

  test.each([
    ["-c", "1"],
    ["--session", "etl"],
    ["--session", "etl", "-"],
    ["--session", "etl", "-c"],
    ["--session", "etl", "-c", "1", "script.py"],
    ["--session", "etl", "--timeout", "soon", "-c", "1"],
    ["--session", "two words", "-c", "1"],
    ["--session", "-dash", "-c", "1"],
    ["--session", "etl", "-m", "module"],
    ["--session", "etl", "--background", "-c", "1"],
  ])("leaves others alone: %s %s %s %s", (...args) => {
    expect(quickArguments(args)).toBeNull();
  });
});

describe("a request that comes along with the greeting", () => {
  const wish = (mark: string) => ({
    ...{ cwd: hub.folder, env: baseEnvironment(), terminals: [], answers: false },
    args: {
      ...{ source: { type: "code", cells: [`open(${JSON.stringify(mark)}, "w").close()`] }, session: "along" },
      ...{ timeoutMs: null, json: false, background: false, reset: false, extraEnv: {} },
    },
  });

  test.each([
    { why: "the client has given up", hello: { goodUntil: Date.now() - 1 }, code: "hub-gone" },
    { why: "the version is another", hello: { version: "9.9.9" }, code: "hub-version" },
    { why: "the token is wrong", hello: { token: "guessed" }, code: "hub-refused" },
  ])("does not run where the greeting is refused: $why", async ({ hello, code }) => {
    const mark = join(hub.folder, `ran-${code}`);
    const { socket, token } = hub.record;
    const peer = new Peer(connect(socket), () => ({}));
    const greeting = { token, version: await ownVersion(), name: "test", pid: process.pid, ...hello };
    const greeted = peer.request("hello", greeting).catch((error: unknown) => error);
    const ran = peer.request("run", wish(mark)).catch((error: unknown) => error);
    expect(await greeted).toMatchObject({ code });
    expect(await ran).toMatchObject({ code: expect.stringMatching(/^hub-(protocol|gone)$/) });
    peer.destroy();
    expect(await hub.run("along", "1")).toBe("1");
    expect(existsSync(mark)).toBe(false);
  });
});
