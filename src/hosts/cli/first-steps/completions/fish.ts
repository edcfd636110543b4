import type { HelpOption, HelpPage } from "../help-pages.ts";
import { type Completed, completedArguments, completedValue, sessionNames } from "./completed.ts";

/** A script for fish. */
export function fishCompletions(pages: readonly HelpPage[]): string {
  const lines = pages.flatMap((page) => {
    const [name = "", inner] = page.words;
    const options = page.options.map((option) => optioned(page.words, option));
    if (inner !== undefined) {
      return [named(`__granary_at 1 ${name}`, inner, page.summary), ...options, ...argumentLines(page.words, 2)];
    }
    const words = page.subcommands;
    const hasPages = pages.some(({ words }) => words[0] === name && words.length === 2);
    return [
      named("__granary_at 0", name, page.summary),
      ...words.map((word) => named(`__granary_at 1 ${name}`, word, "")),
      ...options,
      ...(words.length === 0 && !hasPages ? argumentLines([name], 1) : []),
      ...words.flatMap((word) => argumentLines([name, word], 2)),
    ];
  });
  return `# fish completion for granary; made by: granary completions fish
# Whether so many words without a dash are typed, and these are the first. A number with + counts later words as well.
function __granary_at
  set -l typed
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or set -a typed $word
  end
  set -l wanted $argv[2..-1]
  for at in (seq (count $wanted))
    test "$typed[$at]" = "$wanted[$at]"; or return 1
  end
  if string match -q '*+' -- $argv[1]
    test (count $typed) -ge (string trim -c + $argv[1])
  else
    test (count $typed) -eq $argv[1]
  end
end
${lines.join("\n")}
`;
}

function argumentLines(words: readonly string[], typed: number): readonly string[] {
  const list = completedArguments(words);
  return list.flatMap((kind, index) => {
    if (kind === "files") return [];
    const count = `${typed + index}${index === list.length - 1 ? "+" : ""}`;
    return [`complete -c granary -n ${quoted(`__granary_at ${count} ${words.join(" ")}`)} ${offer(kind)}`];
  });
}

function offer(kind: Completed): string {
  switch (kind) {
    case "sessions":
      return `-f -a ${quoted(`(${sessionNames})`)}`;
    case "notebooks":
      return `-k -f -a ${quoted("(__fish_complete_suffix .ipynb)")}`;
    case "folders":
      return `-f -a ${quoted("(__fish_complete_directories)")}`;
    case "files":
      return "-F";
    default:
      return `-f -a ${quoted(kind.join(" "))}`;
  }
}

function named(condition: string, word: string, text: string): string {
  return `complete -c granary -n ${quoted(condition)} -a ${word}${describedBy(text)}`;
}

function optioned(words: readonly string[], { name, short, takesValue, text }: HelpOption): string {
  const long = name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`;
  const letter = short === null ? "" : ` -s ${short.slice(1)}`;
  const value = takesValue ? ` -r ${offer(completedValue(name))}` : "";
  const condition = `__granary_at ${words.length}+ ${words.join(" ")}`;
  return `complete -c granary -n ${quoted(condition)}${long}${letter}${value}${describedBy(text)}`;
}

const describedBy = (text: string): string => (text === "" ? "" : ` -d ${quoted(text)}`);

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
