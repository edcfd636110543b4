/**
 * Text as an editor may return it: without a byte order mark, and with `\n` where each line ends in `\r\n`. Where only
 * some lines do, the `\r` belongs to the cell.
 */
export function withUnixLineEnds(text: string): string {
  const unmarked = text.replace(/^\ufeff/, "");
  return /(?<!\r)\n/.test(unmarked) ? unmarked : unmarked.replaceAll("\r\n", "\n");
}
