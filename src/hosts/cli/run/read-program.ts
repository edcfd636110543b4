import type { KernelBackend } from "../../../kernel/kernel.ts";
import { pythonLiteral } from "../../../python/python-literal.ts";
import type { Cell } from "../../../session/execution/execution.ts";
import type { SharedSession } from "../../../session/shared-session.ts";
import { type CommandContext, typedPath } from "../command/command-context.ts";
import type { ReadingCode } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import { isArchive } from "./is-archive.ts";
import { type Program, programCell } from "./program-cell.ts";
import { programMagic } from "./program-magic.ts";
import { decodeSource, readCells, readSourceFile } from "./read-cells.ts";
import type { CellSource, ProgramSource } from "./run-arguments.ts";

/**
 * A program, or code from standard input that has arguments.
 * @param code the session that gets it
 */
export async function readProgram(
  source: ProgramSource | Extract<CellSource, { readonly type: "stdin" }>,
  context: CommandContext,
  signal: AbortSignal,
  code: ReadingCode,
): Promise<ProgramToRun> {
  const { folder } = code;
  if (source.type === "module") return new ProgramToRun(source, folder);
  if (source.type === "file") {
    const path = typedPath(source.path, context);
    return new ProgramToRun(await readFileOrArchive(source, path, context, code), folder);
  }
  const [text = ""] = await readCells(source, context, signal);
  return new ProgramToRun({ type: "stdin", code: text, args: source.args }, folder);
}

/** Python imports from folders and zip files itself; a zip file may be too large to send. */
async function readFileOrArchive(
  source: Extract<ProgramSource, { type: "file" }>,
  path: string,
  { env }: CommandContext,
  code: ReadingCode,
): Promise<Program> {
  const { path: typed, args } = source;
  if (await isArchive(path)) return { type: "archive", typed, path, args };
  return { type: "file", typed, path, args, content: await readSourceFile(path, env, code) };
}

type Work = Program | { readonly type: "stdin"; readonly code: string; readonly args: readonly string[] };

class ProgramToRun {
  readonly #work: Work;
  readonly #folder: string;

  constructor(work: Work, folder: string) {
    this.#work = work;
    this.#folder = folder;
  }

  /** For a session that has its kernel. A kernel of another language gets a file as a cell. */
  async cells(session: SharedSession, backend: KernelBackend["name"], signal: AbortSignal): Promise<readonly Cell[]> {
    const work = this.#work;
    const language = session.info?.language ?? "python";
    if (work.type === "stdin") {
      if (language === "python") await setArguments(session, ["-", ...work.args], signal);
      return [{ code: work.code }];
    }
    if (language === "python") return [{ code: programMagic(work, this.#folder), sent: programCell(work, backend) }];
    if (work.type === "file") return [{ code: decodeSource(work.content, work.typed) }];
    if (work.type === "archive") {
      throw new UsageError(`${work.typed} runs as a Python program, and this kernel runs ${language}.`);
    }
    throw new UsageError(`-m ${work.name} runs a Python module, and this kernel runs ${language}.`);
  }
}

async function setArguments({ kernel }: SharedSession, args: readonly string[], signal: AbortSignal): Promise<void> {
  const code = `__import__("sys").argv.__setitem__(slice(None), ${pythonLiteral(args)})`;
  for await (const _ of kernel?.execute(code, { internal: true, signal }) ?? []);
}
