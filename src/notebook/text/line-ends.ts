/**
 * Text as an editor may hand it back: without a byte order mark, and with `\n` where each line ends in `\r\n`. Where only
 * some lines do, the `\r` is a cell's own.
 */
export function withUnixLineEnds(text: string): string {
  const unmarked = text.replace(/^\ufeff/, "");
  return /(?<!\r)\n/.test(unmarked) ? unmarked : unmarked.replaceAll("\r\n", "\n");
}
