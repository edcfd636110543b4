import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { guardStdout } from "../../../src/hosts/mcp/guard-stdout.ts";

test("a library's output goes to standard error, and only the protocol to standard output", () => {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const streams = { stdout: writingTo(stdout), stderr: writingTo(stderr) };
  const guard = guardStdout(streams as never);
  streams.stdout.write("a warning\n");
  guard.protocol.write('{"jsonrpc":"2.0"}\n');
  expect({ stdout, stderr }).toEqual({ stdout: ['{"jsonrpc":"2.0"}\n'], stderr: ["a warning\n"] });
  guard.release();
  streams.stdout.write("afterwards");
  expect(stdout).toHaveLength(2);
});

test("so does console.log in a real process", () => {
  const program = `
    const { guardStdout } = await import(process.argv[1]);
    const guard = guardStdout(process);
    console.log("stray");
    guard.protocol.write("protocol\\n");
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program, compiled()], {
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: "protocol\n", stderr: "stray\n" });
});

function writingTo(lines: string[]) {
  return {
    write(text: string | Uint8Array, done?: () => void): boolean {
      lines.push(String(text));
      done?.();
      return true;
    },
  };
}

/** A copy that any Node can run. */
function compiled(): string {
  return new URL("../../../dist/hosts/mcp/guard-stdout.js", import.meta.url).href;
}
