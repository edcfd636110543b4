import { LineFolder } from "./line-folder.ts";

/**
 * A text whose long runs of similar lines are one line each.
 * @param artifact the address of the whole text, for the first of these lines
 */
export function foldedLines(text: string, artifact: string | null): string {
  let folded = "";
  let where = artifact === null ? "" : `; all of it: ${artifact}`;
  const folder = new LineFolder({
    text(piece) {
      folded += piece;
    },
    fold({ notice }) {
      folded += notice.replace(/ …\n$/, () => `${where} …\n`);
      where = "";
    },
  });
  folder.push(text);
  folder.flush();
  return folded;
}
