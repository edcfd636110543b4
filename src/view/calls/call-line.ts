import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import { wrapWords } from "../text/wrap.ts";
import type { ViewOptions } from "../view-options.ts";

/** `notebook insert analysis.ipynb · cell 3 · markdown`: the tool, its target and the important arguments. */
export function callLine(
  tool: string,
  subject: string,
  facts: readonly (string | null)[],
  { width, expanded, theme }: ViewOptions,
): readonly string[] {
  const told = facts
    .filter((fact) => fact !== null && fact !== "")
    .map((fact) => theme.muted(` · ${oneLine(fact ?? "")}`));
  const name = theme.accent(oneLine(tool));
  const line = `${name}${subject === "" ? "" : ` ${oneLine(subject)}`}${told.join("")}`;
  return expanded ? wrapWords(line, width) : [clamp(line, width)];
}
