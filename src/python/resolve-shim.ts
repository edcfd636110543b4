import { execFile } from "node:child_process";
import { open, realpath } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import type { Environment } from "./interpreter.ts";
import { resolvePyenvShim } from "./pyenv-shim.ts";

const answerWithinMs = 10_000;

interface Surroundings {
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * A version manager's shim starts Python for us, but takes longer than Python itself, every time. This finds
 * the interpreter behind it: by reading pyenv's files, otherwise by asking the shim once.
 */
export async function resolveShim(
  path: string,
  surroundings: Surroundings,
): Promise<{ readonly executable: string } | { readonly problem: string }> {
  if (!(await looksLikeShim(path))) return { executable: path };
  const executable = await resolvePyenvShim(path, surroundings);
  return executable === null ? ask(path, surroundings) : { executable };
}

/** asdf and pyenv write scripts; mise links to its own program. */
async function looksLikeShim(path: string): Promise<boolean> {
  const program = await realpath(path);
  if (!/^(python|pypy)/.test(basename(program))) return true;
  // What may be executed but not read is no script.
  const file = await open(program).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2);
    return buffer.toString() === "#!";
  } finally {
    await file.close();
  }
}

function ask(path: string, { cwd, env }: Surroundings): Promise<{ executable: string } | { problem: string }> {
  return new Promise((resolve) => {
    const code = "import sys; print(sys.executable)";
    execFile(path, ["-c", code], { cwd, env: { ...env }, timeout: answerWithinMs }, (error, stdout, stderr) => {
      const executable = stdout.trim();
      if (error === null && isAbsolute(executable)) resolve({ executable });
      else resolve({ problem: `does not start Python${firstLine(stderr)}` });
    });
  });
}

function firstLine(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line === "" ? "" : ` (${line})`;
}
