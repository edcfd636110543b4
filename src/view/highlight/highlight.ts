import type { Theme } from "../theme/theme.ts";
import { CellTextTokenizer } from "./cell-text.ts";
import { diffTokenizer } from "./diff.ts";
import { jsonTokenizer } from "./json.ts";
import { MarkdownSourceTokenizer } from "./markdown-source.ts";
import { PythonTokenizer } from "./python.ts";
import { ShellTokenizer } from "./shell.ts";
import { paint, type Tokenizer } from "./token.ts";

/**
 * Lines of code with styles. Lines may be missing at the end, but not at the beginning: they decide what is a string.
 * @param language as people and files call it: `python`, `py`, `bash`, `ipynb`; unknown ones have no styles
 */
export function highlight(lines: readonly string[], language: string, theme: Theme): readonly string[] {
  const tokenizer = languages.get(language.toLowerCase())?.();
  if (tokenizer === undefined) return lines;
  return lines.map((line) => (line.length > longestLine ? line : paint(tokenizer.line(line), theme)));
}

/** Longer lines are not written by hand, and nested strings are slow to scan. */
const longestLine = 2000;

/** The language of a file, by its name; "" when unknown. */
export function languageOfFile(path: string): string {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return languages.has(ending) ? ending : "";
}

const python = (): Tokenizer => new PythonTokenizer();
const shell = (): Tokenizer => new ShellTokenizer();
const json = (): Tokenizer => jsonTokenizer;
const markdown = (): Tokenizer => new MarkdownSourceTokenizer();
const diff = (): Tokenizer => diffTokenizer;

const languages: ReadonlyMap<string, () => Tokenizer> = new Map(
  Object.entries({
    ...{ python, python3: python, ipython: python, ipython3: python, py: python, pyi: python },
    ...{ bash: shell, sh: shell, shell, zsh: shell },
    ...{ json, jsonl: json, geojson: json },
    ...{ markdown, md: markdown },
    ...{ diff, patch: diff },
    ipynb: () => new CellTextTokenizer(),
  }),
);
