import { KernelError } from "../../errors.ts";
import type { ForkFrame } from "../warm/template-frames.ts";

/** The wire of a sleeping copy in types; "Checkpoints" in `protocol/README.md` says what they mean. */
export type CopyFrame = Copied | ForkFrame;

/** The first frame. */
export interface Copied {
  readonly t: "copy";
  readonly pid: number;
  readonly count: number;
  readonly ms: number;
}

export function decodeCopyFrame(line: string): CopyFrame {
  try {
    return JSON.parse(line) as CopyFrame;
  } catch (cause) {
    throw new KernelError("protocol", `A checkpoint sent a line that is not JSON: ${line.slice(0, 200)}`, { cause });
  }
}
