import { decodeHTMLAttribute } from "entities";

/** The value of one attribute: "" if it has none, null if it is missing. */
export function attribute(source: string, wanted: string): string | null {
  for (let at = 0; at < source.length; ) {
    const name = matchAt(/[^\s"'<>/=]+/y, source, at);
    if (name === "") {
      at++;
      continue;
    }
    at += name.length;
    const equals = matchAt(/\s*=\s*/y, source, at);
    at += equals.length;
    const value = equals === "" ? { text: "", end: at } : valueAt(source, at);
    if (name.toLowerCase() === wanted) return decodeHTMLAttribute(value.text);
    at = value.end;
  }
  return null;
}

/** A whole number that an attribute gives, at least 1 and at most `most`. */
export function numberAttribute(source: string, wanted: string, most: number): number {
  const number = Number.parseInt(attribute(source, wanted) ?? "", 10);
  return Number.isNaN(number) ? 1 : Math.min(most, Math.max(1, number));
}

function valueAt(source: string, at: number): { readonly text: string; readonly end: number } {
  const quote = source[at];
  if (quote === '"' || quote === "'") {
    const closing = source.indexOf(quote, at + 1);
    const end = closing === -1 ? source.length : closing;
    return { text: source.slice(at + 1, end), end: end + 1 };
  }
  const text = matchAt(/[^\s>]+/y, source, at);
  return { text, end: at + text.length };
}

function matchAt(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? "";
}
