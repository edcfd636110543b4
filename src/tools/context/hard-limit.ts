import type { ToolContext } from "./tool-context.ts";

/** The hard limit of work, in milliseconds; Infinity for none. */
export function hardLimitMs({ runtime }: ToolContext): number {
  const { hardLimitSeconds } = runtime.settings.python;
  return hardLimitSeconds === 0 ? Number.POSITIVE_INFINITY : hardLimitSeconds * 1000;
}
