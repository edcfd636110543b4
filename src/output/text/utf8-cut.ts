/** Cuts text by its size in UTF-8, never inside a character and, if possible, not between a letter and its accent. */

const encoder = new TextEncoder();
const belongsToBefore = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)/u;
const joiner = "\u200d";
// Longer than any real cluster; a text of only accents is still cut.
const longestCluster = 32;

/** As much of the beginning as fits. */
export function headWithin(text: string, bytes: number): string {
  const candidate = text.slice(0, bytes);
  const { read } = encoder.encodeInto(candidate, new Uint8Array(bytes));
  let end = read;
  while (read - end < longestCluster && !isBoundary(text, end)) end--;
  return text.slice(0, isBoundary(text, end) ? end : read);
}

/** As much of the end as fits. */
export function tailWithin(text: string, bytes: number): string {
  if (bytes === 0) return "";
  const encoded = Buffer.from(text.slice(-bytes));
  let first = Math.max(0, encoded.length - bytes);
  while (isContinuation(encoded[first])) first++;
  const latest = text.length - encoded.toString("utf8", first).length;
  let start = latest;
  while (start - latest < longestCluster && !isBoundary(text, start)) start++;
  return text.slice(isBoundary(text, start) ? start : latest);
}

function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isLowSurrogate(text.charCodeAt(at))) return false;
  return text[at - 1] !== joiner && !belongsToBefore.test(text.slice(at, at + 2));
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;
