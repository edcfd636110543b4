import { Writable } from "node:stream";
import { type CommandContext, processContext } from "../../../src/hosts/cli/command/command-context.ts";
import { main } from "../../../src/hosts/cli/main.ts";

/** Runs the command line in this process, without a terminal. */
export async function commandHere(
  args: readonly string[],
  context: Pick<CommandContext, "cwd" | "env" | "stdin"> & Partial<CommandContext>,
) {
  const stdout = new Kept();
  const stderr = new Kept();
  const exitCode = await main(args, {
    stdout,
    stderr,
    isTerminal: () => false,
    onSignal: () => () => {},
    exit: () => {},
    loadBackend: processContext.loadBackend,
    ...context,
  });
  return { stdout: stdout.text, stderr: stderr.text, exitCode };
}

class Kept extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}
