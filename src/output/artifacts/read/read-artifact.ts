import { createReadStream } from "node:fs";
import { systemReason } from "../../../support/files/system-reason.ts";
import { GranaryError } from "../../../support/granary-error.ts";
import type { StoredArtifact } from "./list-artifacts.ts";
import { type Range, resolveRanges, type Stretch } from "./ranges.ts";

export interface ReadArtifactOptions {
  readonly signal?: AbortSignal | undefined;
}

type Bytes = AsyncGenerator<Uint8Array, void, undefined>;

/** All bytes of an artifact; of a growing one, those that existed at the lookup. */
export function readWholeArtifact(artifact: StoredArtifact, options: ReadArtifactOptions = {}): Bytes {
  return readBytes(artifact, [{ from: 0, to: Number.POSITIVE_INFINITY }], options);
}

/** Counts bytes from 0. */
export async function* readBytes(
  artifact: StoredArtifact,
  ranges: readonly Range[],
  { signal }: ReadArtifactOptions = {},
): Bytes {
  for (const { from, to } of resolveRanges(ranges, 0, artifact.bytes)) {
    const chunks = createReadStream(artifact.path, { start: from, end: to, highWaterMark: 256 * 1024, signal });
    try {
      for await (const chunk of chunks) yield chunk;
    } catch (error) {
      signal?.throwIfAborted();
      throw cannotRead(artifact, error as NodeJS.ErrnoException);
    }
  }
}

/** Counts lines from 1. Each line includes its `\n`; the last may have none. */
export async function* readLines(
  artifact: StoredArtifact,
  ranges: readonly Range[],
  options: ReadArtifactOptions = {},
): Bytes {
  const stretches = await findStretches(artifact, ranges, options);
  yield* selectLines(readWholeArtifact(artifact, options), stretches);
}

/** The lines that some ranges mean. Counts all lines only if a range depends on their number. */
export async function findStretches(
  artifact: StoredArtifact,
  ranges: readonly Range[],
  options: ReadArtifactOptions = {},
): Promise<readonly Stretch[]> {
  const mustCount = ranges.some((range) => "last" in range);
  const count = mustCount ? await countLines(artifact, options) : Number.POSITIVE_INFINITY;
  return resolveRanges(ranges, 1, count);
}

export async function countLines(artifact: StoredArtifact, options: ReadArtifactOptions = {}): Promise<number> {
  let ended = 0;
  let lineIsOpen = false;
  for await (const chunk of readWholeArtifact(artifact, options)) {
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) ended++;
    lineIsOpen = chunk.at(-1) !== newline;
  }
  return ended + (lineIsOpen ? 1 : 0);
}

const newline = 0x0a;

/** Passes on whole runs of lines instead of one line at a time, so that a line may be of any length. */
async function* selectLines(chunks: Bytes, stretches: readonly Stretch[]): Bytes {
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    while (start < chunk.length) {
      const next = stretches.find(({ to }) => to >= line);
      if (next === undefined) return;
      const isWanted = line >= next.from;
      const goOnAt = isWanted ? next.to + 1 : next.from;
      let end = start;
      while (line < goOnAt && end < chunk.length) {
        const at = chunk.indexOf(newline, end);
        if (at !== -1) line++;
        end = at === -1 ? chunk.length : at + 1;
      }
      if (isWanted) yield chunk.subarray(start, end);
      start = end;
    }
  }
}

function cannotRead({ id, path }: StoredArtifact, error: NodeJS.ErrnoException): GranaryError {
  if (error.code === "ENOENT") {
    return new GranaryError("not-found", `The artifact ${id} has just been removed: it was old.`, { cause: error });
  }
  return new GranaryError("unreadable", `The artifact ${id} cannot be read from ${path}: ${systemReason(error)}.`, {
    cause: error,
  });
}
