import { describe, expect, test } from "vitest";
import { comparableText } from "../../src/execute/notebook/verify/comparable-text.ts";
import { excerptOf } from "../../src/hosts/tui/notebook/paint/excerpt.ts";
import { withoutControlSequences } from "../../src/kernel/jupyter/messages/control-sequences.ts";
import { sanitize } from "../../src/output/text/sanitize.ts";
import { headWithin, tailWithin } from "../../src/output/text/utf8-cut.ts";
import { renderTraceback } from "../../src/output/traceback/render-traceback.ts";
import { highlight } from "../../src/view/highlight/highlight.ts";
import { renderOutput } from "../../src/view/lines/output-lines.ts";
import { renderMarkdown } from "../../src/view/markdown.ts";
import { renderTracebackLines as paintTraceback } from "../../src/view/output/traceback.ts";
import { clamp } from "../../src/view/text/fit.ts";
import { oneLine, printableLines } from "../../src/view/text/printable.ts";
import { fold, wrapWords } from "../../src/view/text/wrap.ts";
import { isLong } from "../environment/variants.ts";
import { dark256 } from "./samples.ts";

/**
 * Texts on which a careless regular expression backtracks: hundreds of thousands of characters, and then an unexpected one.
 * Quadratic work takes twenty billion steps.
 */
const length = isLong ? 400_000 : 200_000;
const odd = {
  blanks: `a${" ".repeat(length)}b`,
  "line ends": `a${"\n".repeat(length)}b`,
  dashes: `a | b\n${"-".repeat(length)}x`,
  signs: `# a${" #".repeat(length / 2)} b`,
  numbers: `${"1,".repeat(length / 2)}x`,
  "numbers with points": `${"1.1.".repeat(length / 4)} x`,
  "an escape that never ends": `\x1b${";#".repeat(length / 2)}`,
  "a sequence that never ends": `\x1b[${"1;".repeat(length / 2)}`,
  "a string that never ends": `${"\x1b]0;".repeat(length / 4)}`,
  "tabs and accents": "é\t".repeat(length / 2),
  "strings in strings": "f'{".repeat(length / 3),
  accents: `e${"\u0301".repeat(length)}`,
  joiners: "👩\u200d".repeat(length / 3),
  "open brackets": "${".repeat(length / 2),
  "lines of a traceback": `Cell In[1], line 1\n${" ".repeat(length)}x\n---> ${" ".repeat(length)}x`,
};
const view = { width: 80, theme: dark256, expanded: true, previewLines: 10 };

const functions: Record<string, (text: string) => unknown> = {
  sanitize,
  oneLine,
  printableLines,
  withoutControlSequences,
  comparableText,
  excerptOf,
  headWithin: (text) => headWithin(text, 1000),
  tailWithin: (text) => tailWithin(text, 1000),
  "a traceback": (text) => renderTraceback([text]),
  "a painted traceback": (text) => paintTraceback(text, dark256),
  "Python on a screen": (text) => highlight(printableLines(text), "python", dark256),
  "a command on a screen": (text) => highlight(printableLines(text), "bash", dark256),
};

/** Functions that segment every character need a while for each. */
const slow: typeof functions = {
  clamp: (text) => clamp(text, 80),
  fold: (text) => fold(text, 80),
  wrapWords: (text) => wrapWords(text, 80),
  "Markdown on a screen": (text) => renderMarkdown(text, view),
  "output on a screen": (text) => renderOutput(text, view),
};

describe.each(Object.entries(functions))("%s ends", { timeout: 10_000 }, (_, read) => {
  test.each(Object.entries(odd))("for a long text of %s", (_, text) => {
    expect(read(text)).toBeDefined();
  });
});

test.each(Object.entries(slow))("%s ends for a long line of accents and wide characters", (_, read) => {
  expect(read("é日 e\u0301".repeat(25_000))).toBeDefined();
});
