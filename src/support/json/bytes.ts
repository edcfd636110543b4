/** The bytes with a meaning in JSON. */
export const newline = 0x0a;
export const quote = 0x22;
export const plusSign = 0x2b;
export const comma = 0x2c;
export const minusSign = 0x2d;
export const point = 0x2e;
export const zero = 0x30;
export const colon = 0x3a;
export const bigE = 0x45;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const smallE = 0x65;
export const smallU = 0x75;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** The position after a byte order mark, or 0. */
export function afterMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** A table with a 1 for each matching byte: the fastest test of a byte. */
export function bytesWhere(holds: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (holds(byte) ? 1 : 0));
}

/** Whether these bytes equal this ASCII text. Compares without decoding, as it is called very often. */
export function isAt(bytes: Buffer, start: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
