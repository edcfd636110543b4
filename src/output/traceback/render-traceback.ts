import { foldFrames } from "./fold-frames.ts";
import { readTraceback } from "./read-traceback.ts";
import type { ReportedException } from "./traceback.ts";

export interface RenderedTraceback {
  /** For people and models: without colours, with libraries and recursion folded. The caller decides how much is shown. */
  readonly text: string;
  /** In the order in which they were raised, with every frame, including folded ones. */
  readonly exceptions: readonly ReportedException[];
}

/** @param traceback the lines of an `error` event of any kernel */
export function renderTraceback(traceback: readonly string[]): RenderedTraceback {
  const { pieces, exceptions } = readTraceback(traceback);
  return { text: foldFrames(pieces).join("\n").trimEnd(), exceptions };
}
