import { withSortedSets } from "./sorted-sets.ts";

/** More text that the user excludes from the comparison. */
export interface Tolerance {
  /** Text that may differ. */
  readonly ignore: readonly RegExp[];
  /** Whether the cell calls `id()`, which returns plain numbers. */
  readonly ids: boolean;
}

export const usualTolerance: Tolerance = { ignore: [], ids: false };

/** Text without values that change with every run. */
export function comparableText(text: string, { ignore, ids }: Tolerance = usualTolerance): string {
  const wanted = ignore.reduce((changed, pattern) => changed.replace(pattern, ellipsis), text);
  const patterns = ids ? [...changeable, idNumber] : changeable;
  return withSortedSets(
    patterns.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), wanted),
  );
}

/** A pattern such as `\\d*` also matches the empty text between any two characters. */
const ellipsis = (found: string): string => (found === "" ? "" : "…");

type Replacement = readonly [pattern: RegExp, replacement: string];

const number = "\\d{1,20}(?:[.,]\\d{1,20}){0,4}(?:e[-+]?\\d{1,3})?";
const unit = "(?:ns|[µμu]s|ms|s|secs?|seconds?|mins?|minutes?|h|hours?)";
const temporary = "(?:/private)?(?:/tmp|/var/tmp|/var/folders/\\w+/\\w+/T)";
const idNumber: Replacement = [/\b\d{9,16}\b/g, "…id…"];

/** Quantifiers are bounded where they could scan a long text again and again. */
const changeable: readonly Replacement[] = [
  [/\b0x[0-9a-fA-F]{6,}\b/g, "0x…"],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, "…uuid…"],
  [/\b[0-9a-f]{32}\b/g, "…id…"],
  // The file of a cell, as ipykernel and as Granary name it; in a SyntaxError, ipykernel gives only the end of its path.
  [new RegExp(`${temporary}/ipykernel_\\d+/\\d+\\.py\\b`, "g"), "<cell>"],
  [/<cell \d+>|<ipython-input-\d+-[0-9a-f]+>/g, "<cell>"],
  [/\(\d{1,10}\.py(?=, line \d+\))/g, "(<cell>"],
  // pandas' Styler names its tables and their rules: T_1a2b3, #T_1a2b3_row0_col1.
  [/\bT_[0-9a-f]{5}(?=_|\b)/g, "T_…"],
  [new RegExp(`${temporary}/[^\\s"'<>:,)]+`, "g"), "/tmp/…"],
  // tqdm: 100%|████| 50/50 [00:01<00:00, 48.3it/s]
  [/\[\d+:\d\d(?::\d\d)?<[^\]\n]{0,60}\]/g, "[…progress…]"],
  [/\bdatetime\.datetime\([\d, ]{1,60}(?:, tzinfo=[\w.()=, ]{1,60})?\)/g, "…time…"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, "…time…"],
  [/\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b/g, "…time…"],
  // time.time() from 2001 on, as long as it has ten digits; a whole number of that size is left alone.
  [/\b1\d{9}\.\d+\b/g, "…time…"],
  [new RegExp(`(?<!\\d[.,])\\b${number} ?${unit}\\b`, "g"), "…duration…"],
  [
    new RegExp(`\\b((?:elapsed|took|duration|runtime)\\b[^\\w\\n]{0,5}(?:time\\b[^\\w\\n]{0,5})?)${number}`, "gi"),
    "$1…duration…",
  ],
];
