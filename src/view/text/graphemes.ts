import { widthOf } from "../../output/text/column-width.ts";

/** One character as people see it, which may be many code points: `é`, `👩‍🚀`, `한`. */
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

/** In characters. A segment of `Intl.Segmenter` takes the longer to find the longer the text is, so it gets a little at a time. */
const windowLength = 256;

function* segments(text: string): Generator<string> {
  let length = windowLength;
  for (let start = 0; start < text.length; ) {
    const window = text.slice(start, start + length);
    const found = [...segmenter.segment(window)];
    const isLast = start + length >= text.length;
    // The last one may go on behind the window.
    const whole = isLast ? found : found.slice(0, -1);
    for (const { segment } of whole) {
      yield segment;
      start += segment.length;
    }
    length = whole.length === 0 ? length * 2 : windowLength;
  }
}

/** Printable ASCII: most of what there is, and one column each. */
export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What is drawn as an emoji is two columns wide, whatever it is composed of. */
const drawnAsEmoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}/u;
/** Places where newer editions of Unicode than the one at hand may have put an emoji. */
const emojiToCome = /^(?=\p{Extended_Pictographic})\p{Unassigned}/u;
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}\p{Mc}]*$/u;

function widthOfGrapheme(cluster: string): number {
  if (drawnAsEmoji.test(cluster) || emojiToCome.test(cluster)) return 2;
  if (invisible.test(cluster)) return 0;
  // Terminals do not agree about vowels that stand beside their consonant: counting all of it never makes a line too long.
  return Math.max(1, widthOf(cluster));
}
