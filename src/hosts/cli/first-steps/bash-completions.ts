import type { HelpPage } from "./help-pages.ts";

/** A script for bash. Where it has no answer, bash completes file names. */
export function bashCompletions(pages: readonly HelpPage[]): string {
  const commands = pages.filter(({ words }) => words.length === 1);
  const cases = commands.map((page) => {
    const [name = ""] = page.words;
    const inner = pages.filter(({ words }) => words.length === 2 && words[0] === name);
    const names = [...page.subcommands, ...inner.map(({ words }) => words[1])];
    const ofInner = inner
      .map(({ words, options }) => `      ${words[1]}) options="${optionNames(options)}" ;;\n`)
      .join("");
    const choice = ofInner === "" ? "" : `\n      case "\${COMP_WORDS[2]}" in\n${ofInner}      esac`;
    return `    ${name}) names="${names.join(" ")}" options="${optionNames(page.options)}"${choice} ;;`;
  });
  return `# bash completion for granary; made by: granary completions bash
_granary() {
  local current="\${COMP_WORDS[COMP_CWORD]}" names="" options=""
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    names="${commands.map(({ words }) => words[0]).join(" ")}" options="--help --version"
  fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) if [ "$COMP_CWORD" -le 2 ]; then COMPREPLY=($(compgen -W "$names" -- "$current")); fi ;;
  esac
}
complete -o bashdefault -o default -F _granary granary
`;
}

function optionNames(options: HelpPage["options"]): string {
  return options.map(({ name }) => name).join(" ");
}
