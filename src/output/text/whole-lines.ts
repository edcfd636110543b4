/** The same text, with a line end at its end. */
export function wholeLines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
