import { widthOf } from "../../output/text/column-width.ts";

/** One character as people see it, possibly of many code points: `é`, `👩‍🚀`, `한`. */
export interface Grapheme {
  readonly text: string;
  /** In columns of a terminal. */
  readonly width: number;
}

/** Of text without styles and control characters. */
export function* graphemes(text: string): Generator<Grapheme> {
  if (isAscii(text)) {
    for (const character of text) yield { text: character, width: 1 };
    return;
  }
  for (const segment of segments(text)) yield { text: segment, width: widthOfGrapheme(segment) };
}

/** In characters. `Intl.Segmenter` gets slower the longer the text is, so it gets a little at a time. */
const windowLength = 256;

function* segments(text: string): Generator<string> {
  let length = windowLength;
  for (let start = 0; start < text.length; ) {
    const window = text.slice(start, start + length);
    const found = [...segmenter.segment(window)];
    const isLast = start + length >= text.length;
    // The last one may continue after the window.
    const whole = isLast ? found : found.slice(0, -1);
    for (const { segment } of whole) {
      yield segment;
      start += segment.length;
    }
    length = whole.length === 0 ? length * 2 : windowLength;
  }
}

/** Printable ASCII: the most common case, one column each. */
export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** An emoji is two columns wide, regardless of its parts. */
const drawnAsEmoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u;
/** Ranges where newer editions of Unicode may have emoji. */
const emojiToCome = /^(?=\p{Extended_Pictographic})\p{Unassigned}/u;
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}\p{Mc}]*$/u;

function widthOfGrapheme(cluster: string): number {
  if (drawnAsEmoji.test(cluster) || emojiToCome.test(cluster)) return 2;
  if (invisible.test(cluster)) return 0;
  // Terminals disagree about vowels beside their consonant: counting all of them never makes a line too long.
  return Math.max(1, widthOf(cluster));
}
