import { resolve } from "node:path";
import { pythonLiteral } from "../../../python/python-literal.ts";
import { shellWord } from "../../../support/shell-word.ts";
import type { Program } from "./program-cell.ts";

/**
 * A program as people read it in a history, and as a saved notebook runs it again, here and in Jupyter: `%run -i step.py 'a b'`.
 * @param folder that of the session, in which relative paths are those that were typed
 */
export function programMagic(program: Program, folder: string): string {
  const { args } = program;
  if (program.type === "module") {
    // %run would take the program's options for its own.
    return magic(["-m", program.name, ...(args[0]?.startsWith("-") ? ["--"] : []), ...args], args);
  }
  const { typed, path } = program;
  const file = resolve(folder, typed) === path ? typed : path;
  if (program.type === "archive") return archive(file, args);
  return magic(["-i", file, ...args], args);
}

function magic(words: readonly string[], args: readonly string[]): string {
  // IPython makes names of files of patterns, also of quoted ones.
  const literally = args.some((arg) => /[*?[~]/.test(arg)) ? ["-G"] : [];
  const line = [...literally, ...words].map(shellWord).join(" ");
  return /[\r\n]/.test(line) ? `get_ipython().run_line_magic("run", ${pythonLiteral(line)})` : `%run ${line}`;
}

/** %run takes neither folders nor zip files. */
function archive(file: string, args: readonly string[]): string {
  return [
    "import runpy, sys",
    `sys.argv[:] = ${pythonLiteral([file, ...args])}`,
    `globals().update(runpy.run_path(${pythonLiteral(file)}, run_name="__main__"))`,
  ].join("\n");
}
