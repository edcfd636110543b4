import { Writable } from "node:stream";
import { type CommandContext, processContext } from "../command/command-context.ts";
import { commandTable, main } from "../main.ts";

/** The help of one command, as completions and the man page need it. */
export interface HelpPage {
  /** `["notebook", "run"]` */
  readonly words: readonly string[];
  readonly summary: string;
  readonly text: string;
  readonly options: readonly HelpOption[];
  /** `status` and `stop` of `granary hub`. */
  readonly subcommands: readonly string[];
}

export interface HelpOption {
  /** `--json`, or `-c` where there is no long name. */
  readonly name: string;
  readonly short: string | null;
  readonly takesValue: boolean;
  readonly text: string;
}

/** The pages of all commands, from their own `--help`: the only list of options that a person reads. */
export async function helpPages(): Promise<readonly HelpPage[]> {
  const pages: HelpPage[] = [];
  for (const [name, { summary }] of Object.entries(commandTable)) {
    const page = await pageOf([name], summary);
    pages.push(page);
    const [list = ""] = page.text.split(/^Examples?:/m);
    for (const [, inner = "", text = ""] of list.matchAll(innerCommand)) {
      if (inner !== name) continue;
      const [word = "", ...rest] = text.trim().split(/\s{2,}/);
      if (rest.length > 0 && /^[a-z]+$/.test(word)) pages.push(await pageOf([name, word], rest.join(" ")));
    }
  }
  return pages;
}

/** A line in the list of commands: `  granary notebook run       run its cells`. */
const innerCommand = /^ {2}granary (\w+) (\w+ {2,}\S.*)$/gm;

async function pageOf(words: readonly string[], summary: string): Promise<HelpPage> {
  const text = await helpOf(words);
  const usage = /^Usage:\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? "";
  const options = [...optionsIn(text), ...optionsOfUsage(usage)];
  const isFirst = ({ name }: HelpOption, index: number): boolean =>
    options.findIndex((other) => other.name === name) === index;
  return { words, summary, text, options: options.filter(isFirst), subcommands: subcommandsIn(usage, words) };
}

async function helpOf(words: readonly string[]): Promise<string> {
  let text = "";
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const context: CommandContext = Object.create(processContext, {
    stdout: { value: stdout },
    stderr: { value: new Writable() },
  });
  await main([...words, "--help"], context);
  return text;
}

/** `  -i, --ignore-case   ignore the difference`, `      --cwd DIR     the folder`, `  -c CODE   run this`. */
const optionLine =
  /^ {2,8}(?=-)((?:-\w, )?-{1,2}\w[\w-]*(?:\[=\w+\]|[ =][A-Z][\w[=\]]*)?(?:, -.*?)?)(?: {2,}(\S.*)|(?<=[A-Z]) (\S.*)| ([a-z].*))?$/;

function optionsIn(help: string): readonly HelpOption[] {
  const lines = help.split("\n");
  return lines.flatMap((line, index) => {
    const [, names, text, near, nearest] = optionLine.exec(line) ?? [];
    if (names === undefined) return [];
    const short = /^(-\w), --/.exec(names)?.[1] ?? null;
    return [...names.matchAll(/(?:^|, )(-(?!\w, -)[\w-]+)( |=)?/g)].map(([, name = "", value]) => ({
      name,
      short,
      takesValue: value !== undefined,
      text: text ?? near ?? nearest ?? nextText(lines[index + 1]),
    }));
  });
}

/** An option with a long name has its text on the next line. */
function nextText(line = ""): string {
  return /^ {8,}(?=\S)/.test(line) ? line.trim() : "";
}

/** Options that a command cannot do without are only in its usage: `--old TEXT`. */
function optionsOfUsage(usage: string): readonly HelpOption[] {
  return [...usage.matchAll(/(?<=[\s[])(--[a-z][\w-]*)( [A-Z])?/g)].map(([, name = "", value]) => ({
    name,
    short: null,
    takesValue: value !== undefined,
    text: "",
  }));
}

function subcommandsIn(usage: string, words: readonly string[]): readonly string[] {
  const subcommand = new RegExp(`^ {2}granary ${words.join(" ")} \\[?([a-z]+)\\]?(?= |$)`, "gm");
  return [...new Set([...usage.matchAll(subcommand)].map(([, word = ""]) => word))].filter(
    (word) => word !== "options",
  );
}
