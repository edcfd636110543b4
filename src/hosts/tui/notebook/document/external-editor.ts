import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOutside } from "../../../../runtime/sandbox/path-outside.ts";
import type { Environment } from "../../../../support/environment.ts";

/** The person's editor: a command, and its environment, which is read when it starts. */
export interface ChosenEditor {
  readonly command: string;
  env(): Promise<Environment>;
}

/** From the environment. @param cwd the folder whose programs it must not find on PATH */
export function chosenEditor(env: Environment, cwd: string): ChosenEditor {
  return {
    command: env.VISUAL || env.EDITOR || "vi",
    env: async () => ({ ...env, PATH: await pathOutside({ cwd, env }) }),
  };
}

/**
 * Lets a person edit a text in their own editor, which takes over the terminal.
 * @param name of the editor's file; the extension tells the editor its type
 * @returns the edited text, or the error when the editor could not be used
 */
export async function editedElsewhere(
  text: string,
  name: string,
  editor: ChosenEditor,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const folder = await mkdtemp(join(tmpdir(), "granary-cell-"));
  try {
    const file = join(folder, name);
    await writeFile(file, text === "" || text.endsWith("\n") ? text : `${text}\n`, { mode: 0o600 });
    const problem = await use(editor.command, file, await editor.env());
    if (problem !== null) return { problem };
    const edited = await readFile(file, "utf8");
    // Editors end the last line; a cell does not, unless it did before.
    return { text: text.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Through a shell, as other programs do: `EDITOR` may contain arguments. */
function use(editor: string, file: string, env: Environment): Promise<string | null> {
  return new Promise((resolve) => {
    // Ctrl-C reaches every process of the terminal, but is meant for the editor.
    const ignore = (): void => {};
    process.on("SIGINT", ignore).on("SIGQUIT", ignore);
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
    const end = (problem: string | null): void => {
      process.off("SIGINT", ignore).off("SIGQUIT", ignore);
      resolve(problem);
    };
    child.on("error", (error) => end(`${editor} could not be started: ${error.message}`));
    child.on("close", (code, signal) => {
      const isFine = code === 0;
      end(isFine ? null : `${editor} ended with ${signal ?? `exit code ${code}`}; the cell is unchanged.`);
    });
  });
}
