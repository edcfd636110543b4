import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { GranaryError } from "../../support/granary-error.ts";
import { withoutForeignDescriptors } from "../../support/process/descriptors.ts";
import { signalGroup, started } from "../../support/process/process-group.ts";
import { systemProgram } from "../../support/process/system-program.ts";

/**
 * The parts that bash can really read. A shell does not always print a function in a form that can be read again, and one
 * such part would invalidate all parts after it.
 */
export async function sourceableParts(
  parts: readonly string[],
  { env, signal, bash = systemProgram("bash"), launcher = [] }: SourceOptions,
): Promise<string[]> {
  const refused = await refusedParts(parts, { env, signal, bash, launcher });
  return parts.filter((_part, index) => !refused.has(index));
}

interface SourceOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly bash?: string;
  readonly launcher?: readonly string[] | undefined;
}

// Evaluate each part after those before it, as in the finished snapshot.
const tryEach = `shopt -s expand_aliases
__granary_index=0
while IFS= \\builtin read -r -d '' __granary_part; do
  \\builtin eval "$__granary_part" >/dev/null 2>&1 || \\builtin printf 'refused %s\\n' "$__granary_index"
  __granary_index=$((__granary_index + 1))
done
\\builtin printf 'tried %s\\n' "$__granary_index"`;

async function refusedParts(
  parts: readonly string[],
  { env, signal, bash, launcher }: { [Name in keyof SourceOptions]-?: NonNullable<SourceOptions[Name]> },
): Promise<ReadonlySet<number>> {
  const { BASH_ENV: _startsMore, ...plain } = env;
  const [program = bash, ...words] = [...launcher, bash, "--noprofile", "--norc", "-c", tryEach];
  const start = () =>
    withoutForeignDescriptors(
      ["pipe", "pipe", "ignore"],
      (stdio) =>
        spawn(program, words, { env: plain, detached: true, stdio }) as ChildProcessByStdio<Writable, Readable, null>,
    );
  const child = await started(start).catch((error) => {
    throw new GranaryError("no-snapshot", `bash could not be started: ${error.message}.`);
  });
  return new Promise((resolve, reject) => {
    let said = "";
    const stop = () => {
      signalGroup(child.pid as number, "SIGKILL");
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    child.once("close", () => {
      signal.removeEventListener("abort", stop);
      if (said.endsWith(`tried ${parts.length}\n`)) resolve(numbersAfter("refused ", said));
      else reject(new GranaryError("no-snapshot", "bash ended while it tested the snapshot of the user's shell."));
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.stdin.on("error", () => undefined).end(parts.map((part) => `${part}\0`).join(""));
    if (signal.aborted) stop();
  });
}

function numbersAfter(word: string, said: string): ReadonlySet<number> {
  const lines = said.split("\n").filter((line) => line.startsWith(word));
  return new Set(lines.map((line) => Number(line.slice(word.length))));
}
