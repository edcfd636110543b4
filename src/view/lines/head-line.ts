import { clamp } from "../text/fit.ts";
import { oneLine } from "../text/printable.ts";
import { visibleWidth } from "../text/styled-text.ts";
import type { ViewOptions } from "../view-options.ts";

/** A shorter name is meaningless; below this the facts are cut instead. */
const leastOfName = 8;

/** `✓ name · fact · fact`: without enough room, the end of the name goes first. */
export function headWithFacts(
  before: string,
  name: string,
  facts: readonly string[],
  { width, theme }: Pick<ViewOptions, "width" | "theme">,
): string {
  const told = facts.map((fact) => theme.muted(" · ") + fact).join("");
  const room = Math.max(leastOfName, width - visibleWidth(before) - visibleWidth(told));
  return clamp(`${before}${theme.title(clamp(oneLine(name), room))}${told}`, width);
}
