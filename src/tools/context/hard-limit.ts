import type { ToolContext } from "./tool-context.ts";

/** What ends work in any case, in milliseconds; Infinity for nothing. */
export function hardLimitMs({ runtime }: ToolContext): number {
  const { hardLimitSeconds } = runtime.settings.python;
  return hardLimitSeconds === 0 ? Number.POSITIVE_INFINITY : hardLimitSeconds * 1000;
}
