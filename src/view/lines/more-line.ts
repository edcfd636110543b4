import { sayCount } from "../../support/say-count.ts";
import { clamp } from "../text/fit.ts";
import type { ViewOptions } from "../view-options.ts";

/** Says that more exists than is shown, and which key shows it; empty otherwise. */
export function moreLine(count: number, one: string, options: ViewOptions, width = options.width): readonly string[] {
  if (count === 0) return [];
  const key = options.expandKey === undefined || options.expanded ? "" : ` (${options.expandKey})`;
  return [options.theme.muted(clamp(`… ${sayCount(count, one)}${key}`, width))];
}
