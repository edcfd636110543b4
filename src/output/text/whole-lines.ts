/** The same text, with an end to its last line. */
export function wholeLines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
