import { addAbortSignal } from "node:stream";
import type { Environment } from "../../../support/environment.ts";
import { systemReason } from "../../../support/files/system-reason.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { CommandContext } from "../command/command-context.ts";
import { type ReadingCode, readTypedFile } from "../command/typed-file.ts";
import { UsageError } from "../command/usage-error.ts";
import type { CellSource } from "./run-arguments.ts";

/** Code from standard input: one cell. */
export async function readCells(
  source: Extract<CellSource, { readonly type: "stdin" }>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!source.askedFor && context.isTerminal("stdin")) throw new UsageError(nothingToRun);
  return [decodeSource(await readAll(addAbortSignal(signal, context.stdin)), "Standard input")];
}

const nothingToRun = `Nothing to run. Give code, a file, or - to type code until Ctrl-D:
  granary run -c 'print(6*7)'
  granary run analysis.py
  granary run -`;

export async function readSourceFile(path: string, env: Environment, code: ReadingCode): Promise<Uint8Array> {
  return readTypedFile(path, env, code).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof GranaryError) throw error;
    throw new UsageError(`${path} cannot be read: ${systemReason(error)}.`);
  });
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
