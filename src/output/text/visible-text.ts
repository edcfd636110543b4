import { characterBefore, codePointName, readUnseen, type Unseen, unseenUnits } from "./unseen.ts";

/** Control characters except tabs and line ends, half characters, and those of `unseen.ts`. */
const suspicious = new RegExp(`[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff${unseenUnits}]`, "g");

/**
 * Makes text other than a program's output, such as a message, a title, a path or a file's lines, safe to show
 * anywhere: without control codes for a terminal, and without hidden characters. A visible sign replaces each
 * of these. Other text stays unchanged.
 */
export function visibleText(text: string): string {
  let shown = "";
  let done = 0;
  let before = "";
  suspicious.lastIndex = 0;
  for (let found = suspicious.exec(text); found !== null; found = suspicious.exec(text)) {
    const at = found.index;
    if (at > done) before = characterBefore(text, at);
    const { length, shown: standIn } = readSuspicious(text, at, before);
    shown += text.slice(done, at) + standIn;
    before = characterBefore(standIn, standIn.length);
    done = at + length;
    suspicious.lastIndex = done;
  }
  return done === 0 ? text : shown + text.slice(done);
}

/** The same for a name in a line of ours: no part of it begins another line. */
export function visibleLine(text: string): string {
  return visibleText(
    text.replace(lineEnds, (end) => (end < " " ? String.fromCharCode(0x2400 + end.charCodeAt(0)) : codePointName(end))),
  );
}

/** Also those that only some programs take for one. */
const lineEnds = /[\n\v\f\r\u0085\u2028\u2029]/g;

/** The same for every text in a JSON value of any depth, including names of fields. */
export function visibleStrings<Value>(value: Value): Value {
  if (typeof value === "string") return visibleText(value) as Value;
  if (!isContainer(value)) return value;
  const copy = emptyLike(value);
  const open: [from: object, to: object][] = [[value, copy]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, to] = next;
    for (const [name, inner] of Object.entries(from)) {
      const innerCopy = isContainer(inner) ? emptyLike(inner) : typeof inner === "string" ? visibleText(inner) : inner;
      if (isContainer(inner)) open.push([inner, innerCopy as object]);
      Object.defineProperty(to, visibleText(name), {
        value: innerCopy,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return copy as Value;
}

function readSuspicious(text: string, at: number, before: string): Unseen {
  const code = text.charCodeAt(at);
  if (code === 0x0d && text.charCodeAt(at + 1) === 0x0a) return { length: 1, shown: "\r" };
  if (code < 0x20) return { length: 1, shown: String.fromCharCode(0x2400 + code) };
  if (code === 0x7f) return { length: 1, shown: "␡" };
  if (code < 0xa0) return { length: 1, shown: codePointName(text.charAt(at)) };
  const point = text.codePointAt(at) ?? code;
  if (point >= 0xd800 && point <= 0xdfff) return { length: 1, shown: "\ufffd" };
  // At the end of a text, every character is complete.
  return readUnseen(text, at, before, true) as Unseen;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const emptyLike = (value: object): object => (Array.isArray(value) ? [] : {});
