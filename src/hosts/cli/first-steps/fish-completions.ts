import type { HelpOption, HelpPage } from "./help-pages.ts";

/** A script for fish. */
export function fishCompletions(pages: readonly HelpPage[]): string {
  const lines = pages.flatMap((page) => {
    const [name = "", inner] = page.words;
    if (inner === undefined) {
      const others = page.subcommands.map((word) => named(after(name), word, ""));
      const isAlone =
        page.subcommands.length > 0 || !pages.some(({ words }) => words[0] === name && words.length === 2);
      const options = isAlone ? page.options.map((option) => optioned(after(name), option)) : [];
      return [named("__fish_use_subcommand", name, page.summary), ...others, ...options];
    }
    const ofInner = `${after(name)}; and ${after(inner)}`;
    return [named(after(name), inner, page.summary), ...page.options.map((option) => optioned(ofInner, option))];
  });
  return `# fish completion for granary; made by: granary completions fish\n${lines.join("\n")}\n`;
}

const after = (word: string): string => `__fish_seen_subcommand_from ${word}`;

function named(condition: string, word: string, text: string): string {
  return `complete -c granary -n ${quoted(condition)} -a ${word}${describedBy(text)}`;
}

function optioned(condition: string, { name, short, takesValue, text }: HelpOption): string {
  const long = name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`;
  const letter = short === null ? "" : ` -s ${short.slice(1)}`;
  return `complete -c granary -n ${quoted(condition)}${long}${letter}${takesValue ? " -r" : ""}${describedBy(text)}`;
}

const describedBy = (text: string): string => (text === "" ? "" : ` -d ${quoted(text)}`);

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
