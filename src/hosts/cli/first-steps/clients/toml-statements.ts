import { GranaryError } from "../../../../support/granary-error.ts";

/** A line of TOML that names something: `[a.b]`, `[[a.b]]` or `a.b = …`. Values are not read. */
export interface TomlStatement {
  readonly type: "table" | "list" | "pair";
  readonly path: readonly string[];
}

export class TomlSyntaxError extends GranaryError<"settings"> {
  constructor(text: string, at: number) {
    const line = text.slice(0, at).split("\n").length;
    super("settings", `line ${line} cannot be read`, { details: { line } });
  }
}

/**
 * The statements of a TOML file: enough to know its tables, and that no string or list is still open at its end.
 * @throws {TomlSyntaxError}
 */
export function tomlStatements(text: string): readonly TomlStatement[] {
  const statements: TomlStatement[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (true) {
    at = after(text, blank, at);
    if (at === text.length) return statements;
    const start = at;
    const isTable = text[at] === "[";
    const type = isTable ? (text[at + 1] === "[" ? "list" : "table") : "pair";
    if (isTable) at += type === "list" ? 2 : 1;
    const path: string[] = [];
    do {
      const [whole, key] = keyAt(text, at);
      if (whole === "") throw new TomlSyntaxError(text, start);
      path.push(key);
      at += whole.length;
    } while (text[at - 1] === ".");
    const sign = isTable ? (type === "list" ? "]]" : "]") : "=";
    if (!text.startsWith(sign, at)) throw new TomlSyntaxError(text, start);
    at += sign.length;
    if (!isTable) at = endOfValue(text, at);
    const end = after(text, restOfLine, at);
    if (end === at && at < text.length) throw new TomlSyntaxError(text, start);
    at = end;
    statements.push({ type, path });
  }
}

const blank = /(?:\s|#.*)*/y;
const restOfLine = /[ \t]*(?:#.*)?(?:\r?\n|$)/y;
const keyPart = /[ \t]*(?:([\w-]+)|"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)')[ \t]*\.?/y;
const strings = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

function after(text: string, pattern: RegExp, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function keyAt(text: string, at: number): readonly [whole: string, key: string] {
  keyPart.lastIndex = at;
  const [whole = "", bare, quoted, literal] = keyPart.exec(text) ?? [];
  return [whole, bare ?? quoted ?? literal ?? ""];
}

/** Behind a value, which may have several lines in brackets. */
function endOfValue(text: string, from: number): number {
  let at = after(text, /[ \t]*/y, from);
  const start = at;
  let depth = 0;
  while (at < text.length) {
    const sign = text[at] ?? "";
    if (depth === 0 && /[\n#]/.test(sign)) break;
    const string = after(text, strings, at);
    if (string > at) at = string;
    else if (sign === '"' || sign === "'") throw new TomlSyntaxError(text, start);
    else if (sign === "#") at = after(text, blank, at);
    else {
      if (/[[{]/.test(sign)) depth++;
      if (/[\]}]/.test(sign)) depth--;
      if (depth < 0) throw new TomlSyntaxError(text, start);
      at++;
    }
  }
  if (depth > 0 || text.slice(start, at).trim() === "") throw new TomlSyntaxError(text, start);
  return at;
}
