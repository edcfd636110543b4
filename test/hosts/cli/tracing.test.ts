import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { granary, testFolder } from "./granary.ts";

describe("PI_PYTHON_IPC_TRACE", () => {
  const env = { MY_SECRET_TOKEN: "hush-hush", GRANARY_PYTHON_ALLOW_ENV: "MY_SECRET_TOKEN" };
  const code = "import os; print('it is', 'traced'); os.environ['MY_SECRET_TOKEN']";

  test("=1 shows every message on stderr, secrets masked; stdout stays unchanged", async () => {
    const { stdout, stderr, exitCode } = await granary(["run", "-c", code], {
      env: { ...env, PI_PYTHON_IPC_TRACE: "1" },
    });
    expect(stdout).toBe("it is traced\n'hush-hush'\n");
    expect(stderr).toMatch(/^ipc \d+\.\d{3} → \S+ .*"execute"/m);
    expect(stderr).toMatch(/^ipc \d+\.\d{3} ← \S+ .*"hello"/m);
    expect(stderr).toContain("<masked>");
    expect(stderr).not.toContain("hush");
    expect(exitCode).toBe(0);
  });

  test("=FILE writes there, for the owner only, and appends", async () => {
    const file = join(testFolder, "trace.log");
    const traced = { env: { ...env, PI_PYTHON_IPC_TRACE: file } };
    expect((await granary(["run", "-c", code], traced)).stderr).toBe("");
    await granary(["run", "-c", code], traced);
    const text = await readFile(file, "utf8");
    expect(text.match(/"hello"/g)).toHaveLength(2);
    expect(text).not.toContain("hush");
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  });

  test("masks what --env gives under the name of a secret", async () => {
    const args = ["run", "--env", "API_KEY=hush-hush", "-c", "import os; os.environ['API_KEY']"];
    const { stderr } = await granary(args, { env: { PI_PYTHON_IPC_TRACE: "1" } });
    expect(stderr).toContain("<masked>");
    expect(stderr).not.toContain("hush");
  });

  test("with a file that cannot be written is refused, and Python does not start", async () => {
    const { stdout, stderr, exitCode } = await granary(["run", "-c", "1"], {
      env: { PI_PYTHON_IPC_TRACE: "/dev/null/trace.log" },
    });
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^granary: PI_PYTHON_IPC_TRACE names \/dev\/null\/trace\.log, which cannot be written/);
    expect(exitCode).toBe(2);
  });
});

test("PI_DEBUG_STARTUP=1 prints the stages of the start on stderr, in order and with times", async () => {
  const { stdout, stderr } = await granary(["run", "-c", "1"], { env: { PI_DEBUG_STARTUP: "1" } });
  expect(stdout).toBe("1\n");
  const lines = stderr.trimEnd().split("\n");
  for (const line of lines) expect(line).toMatch(/^startup \d+\.\d ms \(\+\d+\.\d\) \S/);
  const stages = lines.map((line) => line.replace(/^startup \S+ ms \(\S+\) /, ""));
  expect(stages).toEqual([
    "settings loaded",
    expect.stringMatching(/^found \/\S+ \(PATH\)$/),
    "process created",
    expect.stringMatching(/^Python \d+\.\d+\.\d+ said hello$/),
    "streams connected",
    "prelude loaded",
    "ready",
  ]);
});

test("a start without tracing prints nothing", async () => {
  expect((await granary(["run", "-c", "1"])).stderr).toBe("");
});
