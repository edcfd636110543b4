import { visibleText } from "../../../output/text/visible-text.ts";
import type { Theme } from "../../../view/theme/theme.ts";
import type { PlannedChange } from "./clients/planned-change.ts";

/** Enough to recognize a line; a file without line breaks is one line. */
const widest = 100;

/**
 * The lines that a change removes and adds. Every change is an addition in one place, so that lines before and after it
 * are the same. Unchanged lines are not shown: they may have keys of other servers.
 */
export function changeLines({ before, after }: Extract<PlannedChange, { type: "change" }>, theme: Theme): string[] {
  const old = before === null ? [] : before.split(/\r?\n/);
  const now = after.split(/\r?\n/);
  let head = 0;
  while (head < old.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail).filter((line, index, all) => line !== "" || index < all.length - 1);
  const [oldLine = "", newLine = ""] = [removed[0], added[0]];
  if (removed.length === 1 && added.length === 1 && newLine.length > widest)
    return [theme.success(`  + … ${visibleText(insertedIn(newLine, oldLine))} …`)];
  return [
    ...removed.map((line) => theme.error(`  - ${shortened(line)}`)),
    ...added.map((line) => theme.success(`  + ${shortened(line)}`)),
  ];
}

/** The new part of a line, which may be the whole file. */
function insertedIn(line: string, old: string): string {
  let head = 0;
  while (head < old.length && old[head] === line[head]) head++;
  return line.slice(head, line.length - (old.length - head)).trim();
}

function shortened(written: string): string {
  const line = visibleText(written);
  return line.length <= widest ? line : `${line.slice(0, 20)} … ${line.slice(20 - widest)}`;
}
