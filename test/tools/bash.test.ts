import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createBashTool } from "../../src/tools/bash.ts";
import type { BashDetails } from "../../src/tools/definition/details.ts";
import type { ToolCall, ToolUpdate } from "../../src/tools/definition/tool.ts";
import { BackgroundWork, beginCommand } from "../../src/tools/shell/begin-command.ts";
import { isRunning } from "../kernel/processes.ts";
import { until } from "../kernel/until.ts";
import { environmentIn, temporaryFolder } from "../runtime/runtimes.ts";
import { type Choices, contentOf, contextIn, textOf } from "./contexts.ts";

const folder = temporaryFolder();

async function bash(input: object, { choices, ...call }: ToolCall<BashDetails> & { choices?: Choices } = {}) {
  await using context = await contextIn(folder, choices);
  const result = await createBashTool(context).run(input, call);
  return { ...result, text: textOf(result) };
}

describe("the text for the model", () => {
  test.each([
    ["echo out; echo err >&2", "out\nerr"],
    ["true", "(no output)"],
    ["echo half; exit 3", "Error: The command ended with exit code 3.\n\nhalf"],
    ["exit 1", "Error: The command ended with exit code 1."],
    ["echo $LINENO\necho $LINENO", "1\n2"],
    ["echo \0", "Error: command: a command cannot have a NUL character in it"],
    ["kill -KILL $$", "Error: The command was ended by SIGKILL."],
    ["sh -c 'kill -SEGV $$' 2>/dev/null", "Error: The command ended with exit code 139, as after SIGSEGV."],
  ])("%s", async (command, expected) => {
    const { text, isError } = await bash({ command });
    // bash's own message about a crashed program differs between systems.
    expect(text.replace(/\n\n.*Segmentation fault.*$/s, "")).toBe(expected);
    expect(isError).toBe(expected.startsWith("Error: "));
  });

  test("of too much output is its beginning and its end, with the artifact's address", async () => {
    const { text, details, content, structured } = await bash({ command: "seq 100000" });
    expect(text).toMatch(/^1\n2\n.*\n… 99,980 lines like "11"; all of it: artifact:\/\/main-\d+ …\n.*\n100000$/s);
    const address = details?.truncation?.artifact;
    expect(contentOf({ content } as never, "link")).toEqual([
      { type: "link", uri: address, name: "complete output", mimeType: "text/plain" },
    ]);
    expect(structured).toEqual({ status: "complete", exitCode: 0, signal: null, artifact: address });
    const all = readFileSync(details?.fullOutputPath ?? "", "utf8");
    expect(all.split("\n")).toHaveLength(100_001);
  });

  test("of a hard limit says so, and a timeout out of range is clamped", async () => {
    const choices = { python: { hardLimitSeconds: 1 } };
    const { text, details, isError } = await bash({ command: "sleep 1000", timeout: 1000 }, { choices });
    expect(text).toBe(
      [
        "Error: The command reached its hard limit and was ended, with what it had started, unless by setsid.",
        "Command timed out after 1 second",
        "Note: timeout is 600 seconds here: 1000 is not between 1 and 600.",
      ].join("\n\n"),
    );
    expect({ isError, status: details?.status }).toEqual({ isError: true, status: "timeout" });
  });

  test("of a bad input names the problem", async () => {
    expect((await bash({ cmd: "ls" })).text).toMatch(/^Error: command: text is required; /);
    expect((await bash({ command: "ls", cwd: "nowhere" })).text).toBe(
      `Error: The working folder ${join(folder, "nowhere")} does not exist. Create it, or name another.`,
    );
  });
});

describe("a command", () => {
  test("runs in the requested folder, with the project's environment first on PATH", async () => {
    mkdirSync(join(folder, "sub"));
    expect((await bash({ command: "pwd", cwd: "sub" })).text).toBe(join(folder, "sub"));
  });

  test("sees no secrets, but the variables that the settings allow", async () => {
    const env = { ...environmentIn(folder), OPENAI_API_KEY: "sk-1", MY_SETTING: "yes", LANG: "C" };
    const choices = { runtimeOptions: { env, settings: { python: { allowEnv: ["MY_SETTING"] } } } };
    const { text } = await bash({ command: "env" }, { choices });
    expect(text).toMatch(/^MY_SETTING=yes$/m);
    expect(text).not.toContain("OPENAI_API_KEY");
  });

  test("finds the functions and aliases of the user's shell", async () => {
    writeFileSync(join(folder, ".bashrc"), "greet() { echo hello $1; }\nalias shout='echo LOUD'\n");
    const env = { ...environmentIn(folder), SHELL: "/bin/bash", GRANARY_HOME: join(folder, "other-home") };
    // A shell that takes longer than two seconds to start, as on a very busy machine, is captured again by the next command.
    await until("they are found", async () => {
      const { text } = await bash({ command: "greet you\nshout" }, { choices: { runtimeOptions: { env } } });
      return text === "hello you\nLOUD";
    });
  });

  test("runs even without a Python", async () => {
    const env = { ...environmentIn(folder), PATH: "/nowhere:/bin", GRANARY_HOME: join(folder, "third-home") };
    const choices = { runtimeOptions: { env }, python: { interpreter: "/no/such/python" } };
    expect((await bash({ command: "echo works" }, { choices })).text).toBe("works");
  });
});

describe("while it runs", () => {
  test("a listener gets the end of the output", async () => {
    const updates: ToolUpdate<BashDetails>[] = [];
    const stop = new AbortController();
    const running = bash(
      { command: "echo begun; sleep 1000" },
      { signal: stop.signal, onUpdate: (update) => updates.push(update) },
    );
    await until("the output is reported", () => updates.some(({ text }) => text === "begun\n"));
    expect(updates.at(-1)?.details).toMatchObject({ status: "running", output: "begun\n", exitCode: null });
    stop.abort();
    const { text, details } = await running;
    expect(text).toBe(
      "Error: The command was cancelled and ended, with what it had started, unless by setsid.\n\nbegun",
    );
    expect(details).toMatchObject({ status: "cancelled", output: "begun\n" });
  });
});

test("background processes that have ended by the time of the result are not reported", async () => {
  class Ended extends BackgroundWork {
    override add: BackgroundWork["add"] = (work) => work.end();
  }
  await using context = await contextIn(folder);
  const { over } = await beginCommand(context, new Ended(), { command: "sleep 1000 &", cwd: folder });
  expect(await over).toMatchObject({ run: { leftRunning: expect.anything() }, notices: [] });
});

test("background processes of a command are reported, and end with the toolbox", async () => {
  const context = await contextIn(folder);
  const { pid, text } = await (async () => {
    await using _closed = context;
    const result = await createBashTool(context).run({ command: "sleep 1000 >/dev/null 2>&1 & echo $!" });
    const said = textOf(result);
    return { pid: Number.parseInt(said, 10), text: said };
  })();
  expect(text).toBe(
    `${pid}\n\nNote: Left running in the background: 1 process (${pid}), until this session ends. Its further output to the command's stdout and stderr is lost.`,
  );
  await until("it has ended", () => !isRunning(pid));
});
