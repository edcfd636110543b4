import { describe, expect, test } from "vitest";
import { createTrace } from "../../../../src/kernel/trace.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { printed } from "../../collect.ts";
import { startRunner } from "../start-runner.ts";

/** Runs a cell on a kernel that is traced, and returns the lines of the trace. */
async function tracedRun(code: string, secrets: readonly string[] = []): Promise<string[]> {
  const lines: string[] = [];
  const trace = createTrace((line) => lines.push(line), secrets);
  await using kernel = await startRunner(newestPython().path, { trace });
  await printed(kernel, code, { answer: async () => "correct horse" });
  return lines;
}

describe("a traced runner", () => {
  test("tells every frame in both directions, with its channel, from hello on", async () => {
    const lines = await tracedRun("print('hello'); 6 * 7");
    const told = lines.map((line) => /^ipc \d+\.\d{3} ([→←]) (\w+) (.*)\n$/.exec(line)?.slice(1));
    expect(told).not.toContain(undefined);
    const summary = told.map((parts) => {
      const [arrow, channel, text = ""] = parts as string[];
      const message = JSON.parse(text) as { t?: string; op?: string };
      return `${arrow} ${channel} ${message.t ?? message.op}`;
    });
    // These two may or may not arrive, depending on timing.
    const certain = summary.filter((entry) => entry !== "→ control flush" && entry !== "← frames started");
    expect(certain).toEqual([
      "← frames hello",
      "→ frames streams",
      "→ frames execute",
      "← frames result",
      "← frames done",
      "→ frames shutdown",
    ]);
  });

  test("hides a password, and shows an ordinary answer", async () => {
    const asking = (await tracedRun("import getpass; password = getpass.getpass()")).join("");
    expect(asking).toContain('"op":"answer"');
    expect(asking).not.toContain("correct horse");
    expect((await tracedRun("answer = input()")).join("")).toContain("correct horse");
  });

  test("masks what is known to be secret, also where JSON has escaped it", async () => {
    const secret = 's3cret-"quoted"';
    const trace = (await tracedRun(`token = ${JSON.stringify(secret)}`, [secret])).join("");
    expect(trace).toContain("<masked>");
    expect(trace).not.toContain("s3cret");
  });

  test("cuts a long message and says how much is missing", () => {
    const lines: string[] = [];
    createTrace((line) => lines.push(line), [])("send", "frames", "x".repeat(10_000));
    expect(lines[0]).toMatch(/x… \(6000 more\)\n$/);
  });
});
