import type { HelpOption, HelpPage } from "./help-pages.ts";

/** A script for zsh: a file in `fpath`, or sourced. */
export function zshCompletions(pages: readonly HelpPage[]): string {
  const commands = pages.filter(({ words }) => words.length === 1);
  const cases = commands.map((page) => {
    const [name = ""] = page.words;
    const inner = pages.filter(({ words }) => words.length === 2 && words[0] === name);
    const names = [
      ...page.subcommands.map((word) => quoted(word)),
      ...inner.map(({ words, summary }) => described(words[1] ?? "", summary)),
    ];
    const ofInner = inner.map(({ words, options }) => `        ${words[1]}) options=(${optionList(options)}) ;;`);
    const choice = ofInner.length === 0 ? "" : `\n      case $words[3] in\n${ofInner.join("\n")}\n      esac`;
    return `    ${name})\n      names=(${names.join(" ")})\n      options=(${optionList(page.options)})${choice}\n      ;;`;
  });
  return `#compdef granary
# zsh completion for granary; made by: granary completions zsh
_granary() {
  local -a names options
  case $words[2] in
${cases.join("\n")}
  esac
  if (( CURRENT == 2 )); then
    names=(${commands.map(({ words, summary }) => described(words[0] ?? "", summary)).join(" ")})
    options=('--help' '--version')
  fi
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
    return
  fi
  if (( CURRENT <= 3 )); then _describe command names; fi
  _files
}
if [[ $funcstack[1] == _granary ]]; then _granary "$@"; else compdef _granary granary; fi
`;
}

function optionList(options: readonly HelpOption[]): string {
  return options.map(({ name, text }) => described(name, text)).join(" ");
}

function described(name: string, text: string): string {
  return quoted(text === "" ? name : `${name}:${text}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
