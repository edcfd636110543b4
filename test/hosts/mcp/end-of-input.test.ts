import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { granary } from "../cli/granary.ts";

const cwd = mkdtempSync(join(tmpdir(), "granary-mcp-input-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "printf", version: "1" },
};

function lines(...messages: readonly object[]): string {
  return messages.map((message) => JSON.stringify({ jsonrpc: "2.0", ...message })).join("\n");
}

const python = (id: number, code: string): object => ({
  ...{ id, method: "tools/call" },
  params: { name: "python", arguments: { cells: [{ code }] } },
});

test("requests from a pipe are answered, though its end comes before the answers", async () => {
  const stdin = lines(
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    python(2, "import time; time.sleep(1); print('first')"),
    python(3, "print('second')"),
    { id: 4, method: "tools/call", params: { name: "python", arguments: { cells: [{ code: "while True: pass" }] } } },
    { method: "notifications/cancelled", params: { requestId: 4 } },
  );
  // Also without a line break at the end.
  for (const end of ["\n", ""]) {
    const { stdout, exitCode } = await granary(["mcp"], { cwd, stdin: stdin + end });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Answer);
    const textOf = (id: number): string | undefined =>
      answers.find((each) => each.id === id)?.result?.content?.[0]?.text;
    expect({ first: textOf(2), second: textOf(3), exitCode }).toEqual({
      first: "first",
      second: "second",
      exitCode: 0,
    });
  }
});

interface Answer {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
}
