import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kernel, StartOptions } from "../../../src/kernel/kernel.ts";
import { createRunnerBackend } from "../../../src/kernel/runner/runner-backend.ts";
import type { WarmInterpreters } from "../../../src/kernel/runner/warm/warm-interpreters.ts";
import type { StreamKind } from "../../../src/kernel/runner/wire/open-streams.ts";

interface Choices extends Partial<Omit<StartOptions, "interpreter">> {
  readonly streams?: StreamKind;
  readonly warm?: WarmInterpreters;
}

/** A kernel on the embedded runner, in the same environment for every test. */
export function startRunner(interpreter: string, { streams, warm, ...options }: Choices = {}): Promise<Kernel> {
  const backend = createRunnerBackend({ streams, warm });
  return backend.start({ interpreter, cwd: tmpdir(), env: plainEnvironment, ...options });
}

const inherited = ["PATH", "HOME", "TMPDIR", "LANG", "XDG_CACHE_HOME"];

export const plainEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  inherited.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "granary-runner-test-"));
}
