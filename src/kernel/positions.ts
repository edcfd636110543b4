/** Python counts characters of code as Unicode code points, JavaScript as UTF-16 units. */

export function toCodePoints(code: string, units: number): number {
  return [...code.slice(0, units)].length;
}

export function toUnits(code: string, codePoints: number): number {
  return [...code].slice(0, codePoints).join("").length;
}
