import { readFile, stat } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import type { CommandContext } from "../command/command-context.ts";
import { UsageError } from "../command/usage-error.ts";
import type { CellSource } from "./run-arguments.ts";

/** The code to run, cell by cell. */
export async function readCells(
  source: CellSource,
  context: CommandContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  switch (source.type) {
    case "code":
      return source.cells;
    case "stdin":
      if (!source.askedFor && context.isTerminal("stdin")) throw new UsageError(nothingToRun);
      return [decodeSource(await readAll(addAbortSignal(signal, context.stdin)), "Standard input")];
  }
}

const nothingToRun = `Nothing to run. Give code, a file, or - to type code until Ctrl-D:
  granary run -c 'print(6*7)'
  granary run analysis.py
  granary run -`;

export async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--cwd ${path} ${reason(error)}.`);
  });
  if (!found.isDirectory()) throw new UsageError(`--cwd ${path} is not a folder.`);
}

export async function readSourceFile(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} ${reason(error)}.`);
  });
}

function reason(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case "ENOENT":
      return "does not exist";
    case "EISDIR":
      return "is a folder, not a file";
    case "ENOTDIR":
      return "does not exist: a part of the path is a file";
    case "EACCES":
    case "EPERM":
      return "may not be read";
    default:
      return `cannot be read: ${error.message}`;
  }
}

async function readAll(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

export function decodeSource(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not UTF-8 text.`);
  }
}
