import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { afterAll } from "vitest";
import { type CommandContext, processContext } from "../../../../src/hosts/cli/command/command-context.ts";
import { main } from "../../../../src/hosts/cli/main.ts";
import { newestPython } from "../../../environment/pythons.ts";

export const folder = mkdtempSync(join(tmpdir(), "granary-notebook-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs `granary notebook …` in this process, in the tests' own folder. */
export async function notebook(args: readonly string[], more: Partial<CommandContext> = {}): Promise<Finished> {
  const stdout = new Kept();
  const stderr = new Kept();
  const context: CommandContext = {
    env: {
      PATH: [dirname(newestPython().path), "/usr/bin", "/bin"].join(":"),
      HOME: folder,
      GRANARY_HOME: join(folder, "home"),
    },
    cwd: folder,
    stdin: Readable.from([]),
    stdout,
    stderr,
    isTerminal: () => false,
    onSignal: () => () => {},
    exit: () => {},
    loadBackend: processContext.loadBackend,
    ...more,
  };
  const exitCode = await main(["notebook", ...args], context);
  return { stdout: stdout.text, stderr: stderr.text, exitCode };
}

/** The JSON document that a command prints. */
export async function notebookJson(args: readonly string[], more: Partial<CommandContext> = {}) {
  const finished = await notebook([...args, "--json"], more);
  return { ...finished, document: JSON.parse(finished.stdout) };
}

export const typed = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) });

class Kept extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
