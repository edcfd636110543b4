import { readTraceback } from "../../../output/traceback/read-traceback.ts";
import { libraryOf } from "../../../output/traceback/traceback.ts";
import type { TracebackPart } from "../api/cells.ts";

/** A traceback, cut at its frames, so that the page can fold those of libraries. */
export function tracebackParts(traceback: readonly string[]): readonly TracebackPart[] {
  return readTraceback(traceback).pieces.map((piece) =>
    piece.type === "frame"
      ? { lines: piece.lines, kind: piece.frame.kind, library: libraryOf(piece.frame.file) }
      : { lines: piece.lines, kind: null, library: null },
  );
}
