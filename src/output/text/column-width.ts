/** Width of text in columns of a terminal: a Chinese character takes two, a combining accent none. */

const plain = /^[\x20-\x7e]*$/;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;
/** Old scripts, divination signs, enclosed ideographs: also wide. */
const rarelySeenWide =
  /[\u2329\u232a\u2630-\u2637\u268a-\u268f\ufe10-\ufe19\u{16fe0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}]/u;
const withoutWidth = /[\p{Mn}\p{Me}\u1160-\u11ff\u200b-\u200d\u2060\ufeff\u{e0000}-\u{e0fff}]/u;
const tabStop = 8;

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let column = 0;
  for (const character of text) column += widthAt(column, character);
  return column;
}

export const nextTabStop = (column: number): number => column + tabStop - (column % tabStop);

/** The width of a character that begins at a column. */
export function widthAt(column: number, character: string): number {
  if (character === "\t") return nextTabStop(column) - column;
  if (character < "\x7f") return 1;
  if (withoutWidth.test(character)) return 0;
  return wide.test(character) || rarelySeenWide.test(character) ? 2 : 1;
}
