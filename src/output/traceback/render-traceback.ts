import { foldFrames } from "./fold-frames.ts";
import { readTraceback } from "./read-traceback.ts";
import type { ReportedException } from "./traceback.ts";

export interface RenderedTraceback {
  /** For people and models: without colours, with libraries and recursion folded. How much of it is shown is not decided here. */
  readonly text: string;
  /** In the order in which they were raised; every frame is here, the folded ones too. */
  readonly exceptions: readonly ReportedException[];
}

/** @param traceback the lines of an `error` event, from whichever kernel */
export function renderTraceback(traceback: readonly string[]): RenderedTraceback {
  const { pieces, exceptions } = readTraceback(traceback);
  return { text: foldFrames(pieces).join("\n").trimEnd(), exceptions };
}
