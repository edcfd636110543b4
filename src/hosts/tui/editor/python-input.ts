/** What Enter means in a text that is becoming Python: run it, or go on with the next line. */

/** Whether Python would be content with it. When in doubt it would: what is wrong with it, Python says best. */
export function isComplete(text: string): boolean {
  const trimmed = text.trimEnd();
  if (trimmed === "") return true;
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  const endsBlank = text.includes("\n") && lastLine.trim() === "";
  // What another program is to read has no end that we could see: a blank line is one.
  if (trimmed.startsWith("%%")) return endsBlank;
  if (/^[!%]/.test(trimmed) && !trimmed.includes("\n")) return !trimmed.endsWith("\\");
  const { isOpen, isOpenBlock, isMismatched, lastStatement } = scan(text);
  if (isMismatched) return true;
  if (isOpen || isOpenBlock) return false;
  // A block may be on the line that opens it. One after `try` cannot be the last, and none but a blank line says which is.
  const isInBlock = /^(?:[ \t@]|(?:try|except|finally)\b[^=]*:)/.test(lastStatement);
  return endsBlank || !isInBlock;
}

const indentWidth = 4;

/** The blanks that the next line begins with. */
export function indentAfter(before: string): string {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const { isOpenBlock, isInString, openBrackets } = scan(before);
  if (isInString) return "";
  if (openBrackets > 0) return /[([{]\s*(?:#.*)?$/.test(line) ? indent + " ".repeat(indentWidth) : indent;
  if (isOpenBlock) return indent + " ".repeat(indentWidth);
  const leavesBlock = /^\s+(?:return|pass|break|continue|raise)\b/.test(line);
  return leavesBlock ? indent.slice(0, -indentWidth) : indent;
}

/** How many blanks Backspace takes away after those at the beginning of a line. */
export function blanksToRemove(before: string): number {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (!/^ +$/.test(line)) return 1;
  return line.length % indentWidth || indentWidth;
}

interface Scanned {
  /** Something is open that Python reads on for: a bracket, a long string, a line that is continued. */
  readonly isOpen: boolean;
  readonly isInString: boolean;
  readonly openBrackets: number;
  /** A bracket closes what was not opened: no further line makes Python of it. */
  readonly isMismatched: boolean;
  /** The last line that has code ends with a colon. */
  readonly isOpenBlock: boolean;
  /** From the beginning of its first line. */
  readonly lastStatement: string;
}

/** Reads over strings and comments as Python does. */
function scan(text: string): Scanned {
  const expectedClosings: string[] = [];
  let isMismatched = false;
  let lastCode = "";
  let statementStart = 0;
  let openQuote: string | null = null;
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [piece] = found;
    const lineEnd = piece.lastIndexOf("\n");
    if (lineEnd !== -1 && expectedClosings.length === 0 && lastCode !== "\\")
      statementStart = found.index + lineEnd + 1;
    if (piece.startsWith("#") || /^\s/.test(piece)) continue;
    const quote = found.groups?.quote;
    const closing = closingOf.get(piece);
    if (quote !== undefined) {
      const end = endOfString(text, token.lastIndex, quote);
      // A short string that is not closed is a mistake, and Python is to say so.
      if (end === null && quote.length === 3) openQuote = quote;
      if (openQuote !== null) break;
      token.lastIndex = end ?? endOfLine(text, token.lastIndex);
    } else if (closing !== undefined) expectedClosings.push(closing);
    else if (")]}".includes(piece)) isMismatched ||= expectedClosings.pop() !== piece;
    lastCode = piece;
  }
  // The editor has indented the line that continues; a second blank line ends the statement, as in Python.
  const isContinued = /\\(?:(?:\r\n?|\n)[ \t]*)?$/.test(text) && lastCode === "\\";
  const openBrackets = expectedClosings.length;
  return {
    isOpen: openQuote !== null || openBrackets > 0 || isContinued,
    isInString: openQuote !== null,
    openBrackets,
    isMismatched,
    isOpenBlock: openQuote === null && openBrackets === 0 && lastCode === ":",
    lastStatement: text.slice(statementStart),
  };
}

const closingOf = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

const token = /(?<quote>"""|'''|"|')|#[^\n]*|\s+|[\p{L}\p{N}_]+|./gu;

/** Where a string ends that begins before this place; null when it does not. */
function endOfString(text: string, from: number, quote: string): number | null {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
    else if (text[at] === "\n" && quote.length === 1) return null;
  }
  return null;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}
