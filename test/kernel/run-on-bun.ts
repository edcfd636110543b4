import { spawn } from "node:child_process";
import { expect } from "vitest";
import { bunPath } from "../../scripts/bun-path.mjs";
import { inRepository } from "../../scripts/repository.mjs";

/** Undefined where there is no Bun. */
export const bun = bunPath();

/** Has Bun's own test runner run a file, which must pass. */
export async function expectToPassOnBun(file: string): Promise<void> {
  const { code, output } = await runOnBun(file);
  // Bun also lists passed tests; show only the failed ones.
  if (code !== 0) throw new Error(failures(output));
  expect(output).toMatch(/^\s*0 fail$/m);
}

async function runOnBun(file: string): Promise<{ code: number | null; output: string }> {
  const args = ["test", "--timeout", "60000", file];
  const child = spawn(bun as string, args, { cwd: inRepository("."), stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

function failures(output: string): string {
  return output
    .split("\n")
    .filter((line) => !line.startsWith("(pass)") && !line.startsWith("(skip)"))
    .join("\n");
}
