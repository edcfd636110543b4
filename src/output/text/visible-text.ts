import { characterBefore, codePointName, readUnseen, type Unseen, unseenUnits } from "./unseen.ts";

/** Control characters but tabs and line ends, half characters, and what `unseen.ts` is about. */
const suspicious = new RegExp(`[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\ud800-\\udfff${unseenUnits}]`, "g");

/**
 * Text that is not a program's output, such as a message, a title, a path or a file's lines, so that it can be shown
 * anywhere: nothing in it is obeyed by a terminal, and nothing is hidden. What may not stay is seen as a sign that stands
 * for it. Text without such characters stays as it is.
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

/** The same of every text in a value made of JSON's kinds, however deep. Names of fields are texts, too. */
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
  // At the end of a text nothing is left open.
  return readUnseen(text, at, before, true) as Unseen;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

const emptyLike = (value: object): object => (Array.isArray(value) ? [] : {});
