/**
 * Invisible characters, with which a text can tell a model something that people do not see: tags, characters without width,
 * direction marks. Granary makes them visible, as `<U+200B>`, unless an emoji or a script needs them there.
 */

/** Candidates, as a set of UTF-16 units for a regular expression; for some blocks, the first unit of a pair. */
export const unseenUnits =
  "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164" +
  "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud82f\ud834\udb40-\udb43";

/** A character, or an emoji's run of tags, and its visible form. */
export interface Unseen {
  readonly length: number;
  readonly shown: string;
}

/**
 * Reads the character at a place of a text that has one of those units.
 * @param before the character before it, "" if there is none
 * @param isEnd whether nothing comes after the text
 * @returns null if the answer depends on the next text
 */
export function readUnseen(text: string, at: number, before: string, isEnd: boolean): Unseen | null {
  const character = characterAt(text, at);
  if (isTag.test(character)) return readTag(text, at, before, isEnd);
  const end = at + character.length;
  if (!isUnseen.test(character)) return { length: character.length, shown: character };
  if (end === text.length && !isEnd) return null;
  const isWanted = needed.some((rule) => rule(character, before, characterAt(text, end)));
  return { length: character.length, shown: isWanted ? character : codePointName(character) };
}

/** The last character of a text that ends at a place. */
export function characterBefore(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1);
  const isSecondHalf = unit >= 0xdc00 && unit <= 0xdfff;
  return text.slice(Math.max(0, end - (isSecondHalf ? 2 : 1)), end);
}

export function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

const characterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : "";

const isUnseen = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
const isTag = /[\u{e0000}-\u{e007f}]/u;

const blackFlag = "🏴";
/** A region of two letters and its part: England is `gbeng`. */
const flagTags = /[\u{e0061}-\u{e007a}]{2}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,4}\u{e007f}/uy;
const flagUnits = 14;

function readTag(text: string, at: number, before: string, isEnd: boolean): Unseen | null {
  if (before === blackFlag) {
    flagTags.lastIndex = at;
    const tags = flagTags.exec(text)?.[0];
    if (tags !== undefined) return { length: tags.length, shown: tags };
    const mayGoOn = text.length - at < flagUnits && /^[\u{e0030}-\u{e007a}]*$/u.test(text.slice(at));
    if (mayGoOn && !isEnd) return null;
  }
  const character = characterAt(text, at);
  return { length: character.length, shown: codePointName(character) };
}

type Rule = (character: string, before: string, after: string) => boolean;

const pictograph = /\p{Extended_Pictographic}/u;
const endOfEmoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f|\u{e007f}/u;
/** Scripts whose letters join or form clusters; writers use joiners to force or prevent that. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Phags_Pa}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tibetan}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Balinese}\p{Script=Javanese}\p{Script=Chakma}]/u;
/** Scripts without spaces between words: such a character allows a line break. */
const withoutBlanks =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Tai_Tham}]/u;
const oldHangul = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;
const withVariants =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Sm}\u3000-\u303f\uff00-\uffef]/u;

const needed: readonly Rule[] = [
  // 👩‍🚀
  (character, before, after) => character === "\u200d" && endOfEmoji.test(before) && pictograph.test(after),
  // ❤️ and 3️⃣
  (character, before, after) => {
    if (character !== "\ufe0e" && character !== "\ufe0f") return false;
    return /^[\d#*]$/.test(before) ? after === "\u20e3" : /\p{Emoji}/u.test(before);
  },
  // می‌خواهم, क्‍ष
  (character, before, after) =>
    (character === "\u200c" || character === "\u200d") &&
    (joining.test(before) || (joining.test(after) && !isUnseen.test(before))),
  (character, before, after) => character === "\u200b" && withoutBlanks.test(before) && withoutBlanks.test(after),
  (character, before) => /[\u180b-\u180f]/.test(character) && /\p{Script=Mongolian}/u.test(before),
  (character, before, after) => /[\u115f\u1160]/.test(character) && (oldHangul.test(before) || oldHangul.test(after)),
  (character, before) => /[\ufe00-\ufe0d]/.test(character) && withVariants.test(before),
  (character, before) => /[\u{e0100}-\u{e01ef}]/u.test(character) && /\p{Script=Han}/u.test(before),
  (character, before, after) => character === "\u034f" && /[\p{L}\p{M}]/u.test(before) && /\p{M}/u.test(after),
];
