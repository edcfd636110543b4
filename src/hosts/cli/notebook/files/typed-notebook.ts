import { buffer } from "node:stream/consumers";
import { readNotebook } from "../../../../notebook/file/read-notebook.ts";
import type { Notebook } from "../../../../notebook/notebook.ts";
import { parseNotebook } from "../../../../notebook/parse/parse-notebook.ts";
import { isGranaryError } from "../../../../support/granary-error.ts";
import type { CommandContext } from "../../command/command-context.ts";
import { UsageError } from "../../command/usage-error.ts";
import { inFolder, standardStream } from "../one-file.ts";

export interface TypedNotebook {
  readonly notebook: Notebook;
  /** Null for standard input. */
  readonly path: string | null;
}

/**
 * The notebook with the typed name; `-` is the one on standard input.
 * @param within folders that the file must be in; null for any
 */
export async function readTypedNotebook(
  file: string,
  context: CommandContext,
  within: readonly string[] | null = null,
): Promise<TypedNotebook> {
  if (file === standardStream) return { notebook: parsed(await stdinNotebook(context)), path: null };
  const path = inFolder(file, context);
  return { notebook: await readNotebook(path, { within }), path };
}

/** The bytes of a notebook on standard input; anything else is refused. */
export async function stdinNotebook(context: CommandContext): Promise<Buffer> {
  const bytes = await buffer(context.stdin);
  if (bytes.length === 0) {
    throw new UsageError("Standard input is empty, and - reads a notebook from it. Pipe one in, or name a file.");
  }
  parsed(bytes);
  return bytes;
}

function parsed(bytes: Buffer): Notebook {
  try {
    return parseNotebook(bytes, "Standard input");
  } catch (error) {
    if (!isGranaryError(error)) throw error;
    // The remedy is about a file.
    throw new UsageError(typeof error.details.why === "string" ? error.details.why : error.message, error);
  }
}
