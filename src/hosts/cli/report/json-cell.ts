import type { ShownOutput } from "../../../execute/cell-outputs.ts";
import type { MimeBundle } from "../../../kernel/events.ts";
import type { ExecutionResult } from "../../../session/execution/execution.ts";
import { jsonLength } from "../../../support/json/deep-json.ts";
import { briefError } from "../run/brief-error.ts";
import { placePictures } from "../terminal/place-pictures.ts";
import type { JsonCell, JsonDisplay } from "./json-document.ts";

/** A longer value would drown the document; the text names its artifact or its type. */
const longestValue = 256 * 1024;

/** A cell of the JSON document; saves its pictures. */
export async function jsonCell(
  displays: readonly ShownOutput[],
  result: ExecutionResult,
  pictureFolder: string,
): Promise<JsonCell> {
  const { status, output, error, executionCount, durationMs, stdinRequested, truncation, ledger, notices } = result;
  return {
    status,
    output,
    displays: await Promise.all(displays.map((display) => jsonDisplay(display, pictureFolder))),
    error: error && briefError(error),
    executionCount,
    durationMs,
    stdinRequested,
    truncation,
    ledger,
    notices,
  };
}

async function jsonDisplay(
  { type, data, metadata, leftOut = [] }: ShownOutput,
  pictureFolder: string,
): Promise<JsonDisplay> {
  const pictures = (await placePictures(data, pictureFolder))?.pictures ?? [];
  const saved = new Set<string>(pictures.map((picture) => picture.type));
  const others = Object.entries(data).filter(([mimeType]) => !saved.has(mimeType) && !leftOut.includes(mimeType));
  const tooLong = others.filter(([, value]) => lengthOf(value) > longestValue).map(([mimeType]) => mimeType);
  const kept = others.filter(([mimeType]) => !tooLong.includes(mimeType));
  return { type, data: Object.fromEntries(kept), metadata, pictures, leftOut: [...tooLong, ...leftOut] };
}

function lengthOf(value: MimeBundle[string]): number {
  return typeof value === "string" ? value.length : jsonLength(value);
}
