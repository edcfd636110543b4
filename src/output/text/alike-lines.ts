/**
 * Whether two lines differ only in their numbers and in the width of their blanks: `step   9 loss 0.5` and
 * `step  10 loss 1e-3`. Reads both in one pass and allocates nothing, since every printed line comes here.
 */
export function areAlike(one: string, other: string): boolean {
  let a = afterBlanks(one, 0);
  let b = afterBlanks(other, 0);
  while (a < one.length && b < other.length) {
    const numberA = afterNumber(one, a);
    const numberB = afterNumber(other, b);
    if (numberA > a !== numberB > b) return false;
    if (numberA > a) {
      a = numberA;
      b = numberB;
      continue;
    }
    const blanksA = afterBlanks(one, a);
    const blanksB = afterBlanks(other, b);
    if (blanksA > a !== blanksB > b) return false;
    if (blanksA === a && one.charCodeAt(a) !== other.charCodeAt(b)) return false;
    a = Math.max(blanksA, a + 1);
    b = Math.max(blanksB, b + 1);
  }
  return afterBlanks(one, a) === one.length && afterBlanks(other, b) === other.length;
}

function afterBlanks(line: string, from: number): number {
  let at = from;
  while (isBlank(line.charCodeAt(at))) at++;
  return at;
}

/** The end of a number that begins here, with its sign, fraction and exponent; `from` if none does. */
function afterNumber(line: string, from: number): number {
  const hasSign = isSign(line.charCodeAt(from)) && !isPartOfWord(line.charCodeAt(from - 1));
  const whole = afterDigits(line, from + (hasSign ? 1 : 0));
  if (whole === from + (hasSign ? 1 : 0)) return from;
  const fraction = line.charCodeAt(whole) === 46 ? afterDigits(line, whole + 1) : whole;
  const end = fraction > whole + 1 ? fraction : whole;
  if ((line.charCodeAt(end) | 32) !== 101) return end;
  const digits = end + (isSign(line.charCodeAt(end + 1)) ? 2 : 1);
  const exponent = afterDigits(line, digits);
  return exponent > digits ? exponent : end;
}

function afterDigits(line: string, from: number): number {
  let at = from;
  while (isDigit(line.charCodeAt(at))) at++;
  return at;
}

// Beyond the end of a line, the code is NaN, which is none of these.
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isSign = (code: number): boolean => code === 43 || code === 45;
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const isPartOfWord = (code: number): boolean =>
  isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 122) || code === 95 || code > 127;
