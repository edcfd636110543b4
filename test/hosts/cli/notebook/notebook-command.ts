import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { CommandContext } from "../../../../src/hosts/cli/command/command-context.ts";
import { newestPython } from "../../../environment/pythons.ts";
import { commandHere } from "../command-here.ts";

export const folder = mkdtempSync(join(tmpdir(), "granary-notebook-cli-"));

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs `granary notebook …` in this process, in the tests' own folder. */
export function notebook(args: readonly string[], more: Partial<CommandContext> = {}): Promise<Finished> {
  const env = {
    PATH: [dirname(newestPython().path), "/usr/bin", "/bin"].join(":"),
    HOME: folder,
    GRANARY_HOME: join(folder, "home"),
    GRANARY_HUB: "never",
  };
  return commandHere(["notebook", ...args], { env, cwd: folder, stdin: Readable.from([]), ...more });
}

/** The JSON document that a command prints. */
export async function notebookJson(args: readonly string[], more: Partial<CommandContext> = {}) {
  const finished = await notebook([...args, "--json"], more);
  return { ...finished, document: JSON.parse(finished.stdout) };
}

export const typed = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) });
