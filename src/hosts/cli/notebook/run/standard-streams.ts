import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandContext } from "../../command/command-context.ts";
import { UsageError } from "../../command/usage-error.ts";
import { write } from "../../command/write.ts";
import { stdinNotebook } from "../files/typed-notebook.ts";
import { inFolder, standardStream } from "../one-file.ts";

export interface NotebookStreams extends AsyncDisposable {
  /** The notebook to read. */
  readonly path: string;
  /** Where to save it; undefined for the notebook itself. */
  readonly saveTo: string | undefined;
  /** Whether the result goes to standard output, which is then for nothing else. */
  readonly toStdout: boolean;
  /** Writes the result to standard output, if that is where it goes. */
  deliver(): Promise<void>;
}

/** Standard input and output as files, for as long as the notebook runs. What comes from standard input goes to standard output. */
export async function openNotebookStreams(
  { file, out, json }: { readonly file: string; readonly out: string | undefined; readonly json: boolean },
  context: CommandContext,
): Promise<NotebookStreams> {
  const fromStdin = file === standardStream;
  const toStdout = out === standardStream || (fromStdin && out === undefined);
  if (toStdout && json)
    throw new UsageError("--json and the notebook cannot both go to standard output: name a file with --out.");
  const given = fromStdin ? await stdinNotebook(context) : null;
  const folder = fromStdin || toStdout ? await mkdtemp(join(tmpdir(), "granary-notebook-")) : null;
  const temporary = (name: string): string => join(folder as string, name);
  if (given !== null) await writeFile(temporary("stdin.ipynb"), given);
  const saveTo = toStdout ? temporary("stdout.ipynb") : out === undefined ? undefined : inFolder(out, context);
  return {
    path: fromStdin ? temporary("stdin.ipynb") : inFolder(file, context),
    saveTo,
    toStdout,
    async deliver() {
      if (!toStdout || saveTo === undefined) return;
      // Nothing is there when nothing was run.
      const result = await readFile(saveTo, "utf8").catch(() => "");
      await write(context.stdout, result);
    },
    async [Symbol.asyncDispose]() {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}
