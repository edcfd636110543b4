/** Decides what Enter does to Python input: run the text, or begin the next line. */

/** Whether the text is complete. In doubt it is: Python reports errors best. */
export function isComplete(text: string): boolean {
  const trimmed = text.trimEnd();
  if (trimmed === "") return true;
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  const endsBlank = text.includes("\n") && lastLine.trim() === "";
  // Input for another program has no visible end; a blank line ends it.
  if (trimmed.startsWith("%%")) return endsBlank;
  if (/^[!%]/.test(trimmed) && !trimmed.includes("\n")) return !trimmed.endsWith("\\");
  const { isOpen, isOpenBlock, isMismatched, lastStatement } = scan(text);
  if (isMismatched) return true;
  if (isOpen || isOpenBlock) return false;
  // A block may be on the line that opens it. After `try` another block follows, and only a blank line marks the last one.
  const isInBlock = /^(?:[ \t@]|(?:try|except|finally)\b[^=]*:)/.test(lastStatement);
  return endsBlank || !isInBlock;
}

const indentWidth = 4;

/** The indentation of the next line. */
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

/** How many blanks Backspace deletes in the indentation of a line. */
export function blanksToRemove(before: string): number {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (!/^ +$/.test(line)) return 1;
  return line.length % indentWidth || indentWidth;
}

interface Scanned {
  /** Something is open, and Python would read on: a bracket, a long string, a continued line. */
  readonly isOpen: boolean;
  readonly isInString: boolean;
  readonly openBrackets: number;
  /** A closing bracket without an opening one: no further line makes this valid Python. */
  readonly isMismatched: boolean;
  /** The last line of code ends with a colon. */
  readonly isOpenBlock: boolean;
  /** The text from the start of its first line. */
  readonly lastStatement: string;
}

/** Skips strings and comments as Python does. */
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
      // A short string that is not closed is an error for Python to report.
      if (end === null && quote.length === 3) openQuote = quote;
      if (openQuote !== null) break;
      token.lastIndex = end ?? endOfLine(text, token.lastIndex);
    } else if (closing !== undefined) expectedClosings.push(closing);
    else if (")]}".includes(piece)) isMismatched ||= expectedClosings.pop() !== piece;
    lastCode = piece;
  }
  // The editor indented the continued line; a second blank line ends the statement, as in Python.
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

/** The end of a string that begins before this position; null when it is not closed. */
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
