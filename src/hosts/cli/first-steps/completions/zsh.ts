import type { HelpOption, HelpPage } from "../help-pages.ts";
import { type Completed, completedArguments, completedValue, sessionNames } from "./completed.ts";

/** A script for zsh: a file in `fpath`, or sourced. */
export function zshCompletions(pages: readonly HelpPage[]): string {
  const commands = pages.filter(({ words }) => words.length === 1);
  return `#compdef granary
# zsh completion for granary; made by: granary completions zsh
_granary() {
  local -a names options sessions
  local word kind=files
  integer at position=0
  case $words[CURRENT-1] in
${valueCases(pages)}
    *) for ((at = 3; at < CURRENT; at++)); do [[ $words[at] == -* ]] || (( position++ )); done ;;
  esac
  case $words[2] in
${commands.map((page) => commandCase(page, pages)).join("\n")}
  esac
  if (( CURRENT == 2 )); then
    names=(${commands.map(({ words, summary }) => described(words[0] ?? "", summary)).join(" ")})
    options=('--help' '--version')
    kind=files
  fi
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  fi
  (( $#names )) && _describe command names && return
  case $kind in
    sessions) sessions=("\${(@f)$(${sessionNames})}"); compadd -a sessions ;;
    notebooks) _files -g '*.ipynb' ;;
    folders) _files -/ ;;
    *' '*) compadd -- \${=kind} ;;
    *) _files ;;
  esac
}
if [[ $funcstack[1] == _granary ]]; then _granary "$@"; else compdef _granary granary; fi
`;
}

function commandCase(page: HelpPage, pages: readonly HelpPage[]): string {
  const [name = ""] = page.words;
  const inner = pages.filter(({ words }) => words.length === 2 && words[0] === name);
  const names = [
    ...page.subcommands.map((word) => quoted(word)),
    ...inner.map(({ words, summary }) => described(words[1] ?? "", summary)),
  ];
  const words = [...page.subcommands, ...inner.map(({ words }) => words[1] ?? "")];
  const lines = [`options=(${optionList(page.options)})`];
  if (names.length > 0) lines.push(`(( position == 0 && CURRENT == 3 )) && names=(${names.join(" ")})`);
  const ofInner = inner.map(({ words, options }) => `        ${words[1]}) options=(${optionList(options)}) ;;`);
  if (ofInner.length > 0) {
    lines.push(`(( CURRENT > 3 )) && case $words[3] in\n${ofInner.join("\n")}\n      esac`);
  }
  lines.push(...(words.length === 0 ? kindLines([name], 0) : words.flatMap((word) => kindLines([name, word], 1))));
  return [`    ${name})`, ...lines.map((line) => `      ${line}`), "      ;;"].join("\n");
}

/** Where an option's value is completed, \`position\` is 0 and the kind is set already. */
function kindLines(words: readonly string[], offset: number): readonly string[] {
  const list = completedArguments(words);
  return list.flatMap((kind, index) => {
    if (kind === "files") return [];
    const isWord = words[1] === undefined ? "" : `$words[3] == ${words[1]} && `;
    const place = `position ${index === list.length - 1 ? ">=" : "=="} ${index + offset}`;
    return [`[[ ${isWord}$kind == files ]] && (( ${place} )) && kind=${quoted(kindOf(kind))}`];
  });
}

function valueCases(pages: readonly HelpPage[]): string {
  const options = pages.flatMap((page) => page.options).filter(({ takesValue }) => takesValue);
  const names = [...new Set(options.map(({ name }) => name))].filter((name) => completedValue(name) !== "files");
  return names.map((name) => `    ${name}) kind=${quoted(kindOf(completedValue(name)))} ;;`).join("\n");
}

const kindOf = (kind: Completed): string => (typeof kind === "string" ? kind : kind.join(" "));

function optionList(options: readonly HelpOption[]): string {
  return options.map(({ name, text }) => described(name, text)).join(" ");
}

function described(name: string, text: string): string {
  return quoted(text === "" ? name : `${name}:${text}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
