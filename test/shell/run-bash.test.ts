import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { KernelEvent } from "../../src/kernel/events.ts";
import { openArtifactStore } from "../../src/output/artifacts/artifact-store.ts";
import { findArtifact } from "../../src/output/artifacts/read/find-artifact.ts";
import { ExecutionCapture } from "../../src/output/execution-capture.ts";
import { type RunBashOptions, runBash } from "../../src/shell/run-bash.ts";
import { deferred } from "../../src/support/deferred.ts";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "granary-run-bash-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: folder };
const root = join(folder, "artifacts");

/** Runs a command, and returns its output along with how it ended. */
async function run(command: string, options: Partial<RunBashOptions> = {}) {
  const artifacts = openArtifactStore({ root, session: "bash", maxBytes: 1e9, keepDays: 1 });
  const capture = new ExecutionCapture({ artifacts });
  const ended = await runBash(command, { cwd: folder, env, snapshot: null, venvBin: null, capture, ...options });
  const end = () => ended.leftRunning?.end();
  onTestFinished(end);
  return { ...ended, ...(await capture.finish()) };
}

let last = 0;

/** A file for the number of a process, written when it has started: `echo $! > path`. */
function pidFile(): { readonly path: string; pid(): Promise<number> } {
  const path = join(folder, `pid-${++last}`);
  const written = () => (existsSync(path) ? readFileSync(path, "utf8") : "");
  return {
    path,
    async pid() {
      await until(`there is a number in ${path}`, () => written().endsWith("\n"));
      return Number(written());
    },
  };
}

describe("a command", () => {
  test("may be longer than an argument of a program, and leaves no file behind", async () => {
    const text = "x".repeat(300_000);
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("granary-command-"));
    const { status, output } = await run(`# ${text}\nword='${text}'; echo "\${#word} $# $0"\nnosuchcommand; true`);
    expect(status).toBe("complete");
    expect(output).toMatch(/^300000 0 bash\nbash: line \d+: nosuchcommand: command not found\n$/);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("granary-command-"))).toEqual(before);
  });

  test("that never began, because the login profile takes so long, is not blamed for the time-out", async () => {
    const home = join(folder, "slow-home");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, ".bash_profile"), "sleep 600\n");
    const slow = { ...env, HOME: home };
    const { status, output } = await run("echo hi", { env: slow, timeoutMs: 1000 });
    expect(status).toBe("timeout");
    expect(output).toContain("Command timed out after 1 second: bash was still reading the login profile");
    writeFileSync(join(home, ".bash_profile"), "");
    const began = await run("sleep 600", { env: slow, timeoutMs: 1000 });
    expect(began.output).toMatch(/Command timed out after 1 second\n?$/);
  });

  test("runs in its folder, and its two streams keep their order", async () => {
    const { status, exitCode, signal, output } = await run("pwd; for i in 1 2 3; do echo o$i; echo e$i >&2; done");
    expect({ status, exitCode, signal }).toEqual({ status: "complete", exitCode: 0, signal: null });
    expect(output).toBe(`${folder}\no1\ne1\no2\ne2\no3\ne3\n`);
  });

  test("has the given environment, and nothing else", async () => {
    const { output } = await run("env", { env: { ...env, GIVEN: "yes" } });
    const names = output.split("\n").map((line) => line.split("=")[0]);
    expect(names).toContain("GIVEN");
    expect(names).not.toContain("GRANARY_HOME");
  });

  test("finds the functions and aliases of the user's shell snapshot, and the environment's programs first", async () => {
    const snapshot = join(folder, "snapshot.sh");
    writeFileSync(snapshot, "greet() { echo hello $1; }\nalias shout='echo LOUD'\n");
    const venvBin = join(folder, "venv/bin");
    mkdirSync(venvBin, { recursive: true });
    const { output } = await run('greet you\nshout\necho "$PATH"', { snapshot, venvBin });
    expect(output).toBe(`hello you\nLOUD\n${venvBin}:${env.PATH}\n`);
  });

  test("can open /dev/stdout and /dev/stderr", async () => {
    const { output } = await run(
      "echo one > /dev/stderr; echo two > /dev/stdout; echo three | tee /dev/stderr >/dev/null",
    );
    expect(output).toBe("one\ntwo\nthree\n");
  });

  test("has an empty standard input", async () => {
    const { output, exitCode } = await run("cat; read x; echo $?");
    expect({ output, exitCode }).toEqual({ output: "1\n", exitCode: 0 });
  });

  test.each([
    ["exit 3", { status: "error", exitCode: 3, signal: null }],
    ["kill -KILL $$", { status: "error", exitCode: null, signal: "SIGKILL" }],
    ["sh -c 'kill -TERM $$'", { status: "error", exitCode: 143, signal: null }],
    ["no-such-program", { status: "error", exitCode: 127, signal: null }],
    ["if", { status: "error", exitCode: 2, signal: null }],
    ["exec 1>&- 2>&-; exit 4", { status: "error", exitCode: 4, signal: null }],
    ["exec sh -c 'exit 5'", { status: "error", exitCode: 5, signal: null }],
  ])("%s: its end is reported unchanged", async (command, expected) => {
    expect(await run(command)).toMatchObject(expected);
  });

  test("that prints bytes that are not text is shown with replacement characters, even for half a character at its end", async () => {
    const { output } = await run(String.raw`printf 'a\xff\x00b\n\303'`);
    expect(output).toBe("a\ufffdb\n\ufffd");
  });

  test("in a missing folder does not start, and the error says so", async () => {
    await expect(run("true", { cwd: join(folder, "nowhere") })).rejects.toMatchObject({
      code: "no-folder",
      message: `The working folder ${join(folder, "nowhere")} does not exist. Create it, or name another.`,
    });
    await expect(run("true", { cwd: import.meta.filename })).rejects.toThrow("is not a folder");
  });

  test("that uses wait does not wait for Granary's own processes", async () => {
    expect(await run("sleep 0.01 & wait; echo waited; jobs")).toMatchObject({ output: "waited\n", leftRunning: null });
  });
});

describe("a lot of output", () => {
  test("100 MB are shown in part, and all of it is in the artifact", async () => {
    const { status, truncation } = await run("yes 'a line of output that is not so short' | head -c 100000000");
    expect({ status, bytes: truncation?.totalBytes }).toEqual({ status: "complete", bytes: 100_000_000 });
    const artifact = await findArtifact(root, truncation?.artifact ?? "");
    expect(artifact).toMatchObject({ bytes: 100_000_000, state: "whole" });
    rmSync(artifact.path);
  });

  test("blocks the command instead of filling memory, while it cannot be taken", async () => {
    const taken: number[] = [];
    const gate = deferred<undefined>();
    const capture = {
      take(event: KernelEvent) {
        if (event.type === "stream" && event.text !== "") taken.push(event.text.length);
        return gate.promise;
      },
      note: () => {},
    };
    const written = join(folder, "written");
    const running = run(`head -c 1000000 /dev/zero; touch ${written}`, { capture });
    await until("the first chunk has come", () => taken.length > 0);
    expect(existsSync(written)).toBe(false);
    expect(taken).toHaveLength(1);
    gate.resolve(undefined);
    await running;
    expect(taken.reduce((sum, length) => sum + length)).toBe(1_000_000);
  });
});

describe("a command that times out", () => {
  test("is ended, with its output so far and the documented sentence", async () => {
    const { status, output, exitCode } = await run("echo begun; sleep 1000", { timeoutMs: 500 });
    expect({ status, exitCode }).toEqual({ status: "timeout", exitCode: null });
    // On a very busy machine, it does not even begin in that time.
    expect(output).toMatch(/^(begun\n)?Command timed out after 0\.5 seconds\n$/);
  });
});

describe("a command that is cancelled", () => {
  test("is ended with all of its processes", async () => {
    const child = pidFile();
    const stop = new AbortController();
    const running = run(`sleep 1000 & echo $! > ${child.path}; wait`, { signal: stop.signal });
    const pid = await child.pid();
    stop.abort();
    expect(await running).toMatchObject({ status: "cancelled", output: "", leftRunning: null });
    await until("it has ended", () => !isRunning(pid));
  });

  test("is killed, including processes that ignore SIGTERM or have a process group of their own", async () => {
    const deaf = pidFile();
    const grouped = pidFile();
    const stop = new AbortController();
    const running = run(
      `trap '' TERM; sleep 1000 & echo $! > ${deaf.path}; timeout 1000 sh -c 'echo $$ > ${grouped.path}; sleep 1000'`,
      { signal: stop.signal, graceMs: 50 },
    );
    const pids = [await deaf.pid(), await grouped.pid()];
    stop.abort();
    expect(await running).toMatchObject({ status: "cancelled" });
    for (const pid of pids) await until("it has ended", () => !isRunning(pid));
  });

  test("may print while it ends", async () => {
    const ready = join(folder, "ready");
    const stop = new AbortController();
    const running = run(`trap 'echo goodbye; exit 7' TERM; touch ${ready}; while :; do sleep 0.01; done`, {
      signal: stop.signal,
      graceMs: 20_000,
    });
    await until("it is ready", () => existsSync(ready));
    stop.abort();
    const { status, exitCode, output } = await running;
    expect({ status, exitCode }).toEqual({ status: "cancelled", exitCode: 7 });
    expect(output.match(/goodbye\n/g)).toHaveLength(1);
  });

  test("before its start does not start", async () => {
    const never = join(folder, "never");
    const { status } = await run(`touch ${never}`, { signal: AbortSignal.abort() });
    expect({ status, wasStarted: existsSync(never) }).toEqual({ status: "cancelled", wasStarted: false });
  });
});

describe("background processes of a command", () => {
  test("do not delay the call, continue, and are ended on request", async () => {
    const child = pidFile();
    const { status, output, leftRunning } = await run(`sleep 1000 & echo $! > ${child.path}; echo started`);
    const pid = await child.pid();
    expect({ status, output, pids: leftRunning?.pids() }).toEqual({
      status: "complete",
      output: "started\n",
      pids: [pid],
    });
    await leftRunning?.end();
    await until("it has ended", () => !isRunning(pid));
    expect(leftRunning?.pids()).toEqual([]);
  });

  test("may print without end: output from before the command's end is kept, the rest is dropped", async () => {
    const child = pidFile();
    const { output, leftRunning } = await run(`yes noise & echo $! > ${child.path}; kill -STOP $!; echo last`);
    expect(output).toContain("last\n");
    process.kill(await child.pid(), "SIGCONT");
    expect(leftRunning?.pids()).toEqual([await child.pid()]);
  });

  test("are not killed by a closed pipe when they print later", async () => {
    const go = join(folder, "go");
    const done = join(folder, "done");
    await run(`(until [ -e ${go} ]; do sleep 0.01; done; echo later && touch ${done}) & echo`);
    writeFileSync(go, "");
    await until("it has printed", () => existsSync(done));
  });
});
