import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { executePython } from "../../src/runtime/execute-python.ts";
import { startKernel } from "../../src/runtime/start-kernel.ts";
import { runtimeIn, temporaryFolder } from "./runtimes.ts";

const folder = temporaryFolder();

describe("executePython", () => {
  test("has a result in the shape of a shell command's", async () => {
    await using runtime = await runtimeIn(folder);
    const chunks: string[] = [];
    const onChunk = (text: string): void => void chunks.push(text);
    const result = await executePython("print('hi'); 1/0", { runtime, onChunk });
    expect(result).toMatchObject({ exitCode: 1, cancelled: false, truncated: false, stdinRequested: false });
    expect(result.output).toMatch(/^hi\nTraceback/);
    expect(chunks.join("")).toBe(result.output);
  });

  test("hands on plain text while the code runs, and says how much there was", async () => {
    await using runtime = await runtimeIn(folder);
    const chunks: string[] = [];
    const code =
      "print('\\x1b[31mred\\x1b[0m\\x1b]0;title\\x07\\u200b\\tend')\nfor n in range(3): print('\\r', n, end='', flush=True)";
    const result = await executePython(code, { runtime, onChunk: (text) => void chunks.push(text) });
    expect(chunks.join("")).toBe("red<U+200B>\tend\n 0 1 2");
    expect(result).toMatchObject({ output: "red<U+200B>\tend\n 2", totalLines: 2, totalBytes: 18 });
    expect(await executePython("pass", { runtime })).toMatchObject({ output: "", totalLines: 0, totalBytes: 0 });
  });

  test("names the file that has all of an output that is too long", async () => {
    await using runtime = await runtimeIn(folder);
    const result = await executePython("for n in range(20_000): print('line', n)", { runtime });
    expect(result).toMatchObject({ truncated: true, totalLines: 20_000 });
    expect(readFileSync(result.fullOutputPath ?? "", "utf8")).toHaveLength(result.totalBytes);
    expect(await executePython("1", { runtime })).toMatchObject({ truncated: false, fullOutputPath: undefined });
  });

  test("says how long the code took, from its first line on, also when it says nothing for a while", async () => {
    await using runtime = await runtimeIn(folder);
    const { details } = await executePython("import time; time.sleep(0.2)", { runtime });
    // Both ends are rounded to milliseconds.
    expect(details.durationMs).toBeGreaterThanOrEqual(199);
  });

  test("keeps variables between calls in the same runtime, folder and session", async () => {
    await using runtime = await runtimeIn(folder);
    await executePython("x = 42", { runtime });
    expect(await executePython("x", { runtime })).toMatchObject({ output: "42\n", exitCode: 0 });
    expect(await executePython("x", { runtime, session: "another" })).toMatchObject({ exitCode: 1 });
    expect(await executePython("'x' in globals()", { runtime, reset: true })).toMatchObject({ output: "False\n" });
  });

  test("stops at its time-out, in seconds, or when the caller says so", async () => {
    await using runtime = await runtimeIn(folder);
    const code = "import time\ntime.sleep(600)";
    const late = await executePython(code, { runtime, timeoutMs: 200 });
    expect(late).toMatchObject({ cancelled: true, exitCode: undefined });
    expect(late.output).toMatch(/Command timed out after 0.2 seconds\n$/);
    const stopped = await executePython(code, { runtime, signal: AbortSignal.timeout(200) });
    expect(stopped).toMatchObject({ cancelled: true, exitCode: undefined });
  });

  test("reports that the code asked for input without a user to answer", async () => {
    await using runtime = await runtimeIn(folder);
    expect(await executePython("input('Name: ')", { runtime })).toMatchObject({ exitCode: 1, stdinRequested: true });
  });

  test("reports Granary's failures in the output", async () => {
    await using runtime = await runtimeIn(folder);
    const { output, exitCode } = await executePython("1", { runtime, cwd: "/nowhere" });
    expect(exitCode).toBeUndefined();
    expect(output).toBe("The working folder /nowhere does not exist. Create it, or name another.\n");
  });

  test.each([
    ["sys.exit(7)", 7],
    ["sys.exit()", 0],
    ["sys.exit('went wrong')", 1],
    ["sys.exit(256 + 3)", 3],
    ["1/0", 1],
  ])("%s has the exit code that Python would end with", async (code, exitCode) => {
    await using runtime = await runtimeIn(folder);
    expect(await executePython(`import sys; ${code}`, { runtime })).toMatchObject({ exitCode });
  });

  test("a folder that is missing has the code that it has everywhere", async () => {
    await using runtime = await runtimeIn(folder);
    const { details } = await executePython("1", { runtime, cwd: "/nowhere" });
    expect(details.failure?.code).toBe("no-folder");
    await expect(startKernel({ cwd: "/nowhere" })).rejects.toMatchObject({ code: "no-folder" });
  });

  test("stops the code when the reader of the chunks throws", async () => {
    await using runtime = await runtimeIn(folder);
    const onChunk = (): void => {
      throw new Error("broken pipe");
    };
    const code = "print('hi', flush=True)\nimport time\ntime.sleep(600)";
    await expect(executePython(code, { runtime, onChunk, timeoutMs: Number.POSITIVE_INFINITY })).rejects.toThrow(
      "broken pipe",
    );
    expect(runtime.executions.map(({ status }) => status)).toEqual(["cancelled"]);
  });
});
