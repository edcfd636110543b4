import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import nodeModule from "node:module";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bunPath } from "../../scripts/bun-path.mjs";
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
      /^(child_process|crypto|os|module|http|worker_threads|util\/parse_args|.*parse_args.*|fs\/promises)$/;
    expect(modules.filter((name) => notForIt.test(name))).toEqual([]);
    expect(modules).toContain("net");
  });

  // Later versions of Node keep compiled code themselves.
  test.skipIf("enableCompileCache" in nodeModule)("keeps its compiled code, and runs with it", async () => {
    const folder = join(hub.home, "compiled");
    const run = () => hub.start(["run", "--session", "etl", "-c", "6 * 7"]).finished;
    expect((await run()).stdout).toBe("42\n");
    const [, content = ""] = /^\/\/(.+)\n/.exec(readFileSync(inRepository("dist/run-in-hub/client.js"), "utf8")) ?? [];
    const name = readdirSync(folder).find((name) => name.includes(content)) ?? "none";
    writeFileSync(join(folder, name), "damaged");
    expect(await run()).toEqual({ exitCode: 0, stdout: "42\n", stderr: "" });
    const compiled = readFileSync(join(folder, name));
    expect(compiled.length).toBeGreaterThan(10_000);
    expect(await run()).toEqual({ exitCode: 0, stdout: "42\n", stderr: "" });
    expect(readFileSync(join(folder, name)).equals(compiled)).toBe(true);
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

describe.each(
  [
    { name: "Node", program: process.execPath },
    { name: "Bun", program: bunPath() },
  ].filter(({ program }) => program !== undefined),
)("the quick client on $name", ({ program }) => {
  const command = [program as string, inRepository("bin/granary")] as const;
  const start = (...args: string[]) => hub.start(["run", "--session", "etl", ...args], { command });

  test("prints output and errors where a script does, with its exit codes", async () => {
    const both = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)";
    expect(await start("-c", both).finished).toEqual({ exitCode: 7, stdout: "out\n", stderr: "err\n" });
    const failed = await start("-c", "1 / 0").finished;
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toMatch(/^Traceback[\s\S]*\nZeroDivisionError: division by zero\n$/);
    const missing = await start("missing.py").finished;
    expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("missing.py cannot be read") });
    const late = await start("--timeout", "1", "-c", "import time; time.sleep(60)").finished;
    expect(late).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("timed out after 1 second") });
  });

  test("a slow reader gets all output, and a closed pipe ends the cell", async () => {
    const reads = (code: string, reader: string) =>
      execFileSync(
        "/bin/sh",
        [
          "-c",
          `("$0" "$1" run --session etl -c "$2"; echo "exit $?" >&2) </dev/null 2>&1 | ${reader}`,
          ...command,
          code,
        ],
        { cwd: hub.folder, env: { ...baseEnvironment(), ...hub.env }, encoding: "utf8" },
      );
    expect(reads("print('y' * 3_000_000)", "(sleep 0.3; wc -c)").trim()).toBe(String(3_000_001 + "exit 0\n".length));
    expect(reads(`for i in range(10_000_000): print(i)`, `head -1; true`)).toBe("0\n");
    expect(await hub.run("etl", "i < 9_999_999")).toBe("True");
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s interrupts the cell, and the variables stay", async (signal, exitCode) => {
    const client = start("-c", "x = 5; print('on', flush=True); import time; time.sleep(60)");
    await client.untilOutput("on");
    client.process.kill(signal);
    expect(await client.finished).toMatchObject({ exitCode, stderr: expect.stringContaining("KeyboardInterrupt") });
    expect((await start("-c", "x").finished).stdout).toBe("5\n");
  });

  test("a hub that is killed is reported", async () => {
    await using other = new TestHub();
    const client = other.start(
      ["run", "--session", "etl", "-c", "print('on', flush=True); import time; time.sleep(60)"],
      { command },
    );
    await client.untilOutput("on");
    process.kill(other.record.pid, "SIGKILL");
    expect(await client.finished).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("The hub has ended") });
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
