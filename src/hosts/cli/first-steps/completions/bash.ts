import type { HelpOption, HelpPage } from "../help-pages.ts";
import { type Completed, completedArguments, completedValue, sessionNames } from "./completed.ts";

/** A script for bash, also for the old one of macOS. Where it has no answer, bash completes file names. */
export function bashCompletions(pages: readonly HelpPage[]): string {
  const commands = pages.filter(({ words }) => words.length === 1);
  return `# bash completion for granary; made by: granary completions bash
_granary_offer() {
  local word quoted typed=\${current#[\\"\\']}
  while IFS= read -r word; do
    printf -v quoted %q "$word"
    if [ "$typed" != "$current" ]; then
      case "$word" in "$typed"*) COMPREPLY+=("$word") ;; esac
    else
      case "$word" in "$typed"*) COMPREPLY+=("$quoted"); continue ;; esac
      case "$quoted" in "$typed"*) COMPREPLY+=("$quoted") ;; esac
    fi
  done
}
_granary_files() {
  local file plain=\${current#[\\"\\']}
  plain=\${plain//\\\\/}
  compopt -o filenames 2>/dev/null
  while IFS= read -r file; do
    if [ -d "$file" ]; then COMPREPLY+=("$file"); continue; fi
    case "$file" in *$1) COMPREPLY+=("$file") ;; esac
  done < <(compgen "$2" -- "$plain")
}
_granary() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="" names="" options="" position=0 at word
  [ "$COMP_CWORD" -gt 1 ] && before="\${COMP_WORDS[COMP_CWORD-1]}"
  [ "$before" = "=" ] && before="\${COMP_WORDS[COMP_CWORD-2]}"
  [ "$current" = "=" ] && current=""
  COMPREPLY=()
  case "$before" in
${valueCases(pages)}
  esac
  for ((at = 2; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in -*) ;; *) position=$((position + 1)) ;; esac
  done
  if [ "$COMP_CWORD" -eq 1 ]; then
    names="${commands.map(({ words }) => words[0]).join(" ")}" options="--help --version"
  else
    case "\${COMP_WORDS[1]}" in
${commands.map((page) => commandCase(page, pages)).join("\n")}
    esac
  fi
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) [ -n "$names" ] && COMPREPLY=($(compgen -W "$names" -- "$current")) ;;
  esac
}
complete -o bashdefault -o default -F _granary granary
`;
}

function commandCase(page: HelpPage, pages: readonly HelpPage[]): string {
  const [name = ""] = page.words;
  const inner = pages.filter(({ words }) => words.length === 2 && words[0] === name);
  const names = [...page.subcommands, ...inner.map(({ words }) => words[1] ?? "")];
  const own = [`options="${optionNames(page.options)}"`];
  if (names.length > 0) own.push(`[ "$position" -eq 0 ] && names="${names.join(" ")}"`);
  for (const each of inner) {
    own.push(
      `[ "\${COMP_WORDS[2]}" = ${each.words[1]} ] && [ "$COMP_CWORD" -gt 2 ] && options="${optionNames(each.options)}"`,
    );
  }
  // The word of a command within is the first one.
  const offset = names.length > 0 ? 1 : 0;
  const kinds = [...new Set(["", ...names])].flatMap((word) => {
    if ((word === "") !== (offset === 0)) return [];
    const list = completedArguments(word === "" ? [name] : [name, word]);
    return list.map((kind, index) => {
      const place = `[ "$position" -${index === list.length - 1 ? "ge" : "eq"} ${index + offset} ]`;
      const isWord = word === "" ? "" : `[ "\${COMP_WORDS[2]}" = ${word} ] && `;
      return `case "$current" in -*) ;; *) ${isWord}${place} && { ${offer(kind)}; return; } ;; esac`;
    });
  });
  return [`      ${name})`, ...[...own, ...kinds].map((line) => `        ${line}`), "        ;;"].join("\n");
}

function valueCases(pages: readonly HelpPage[]): string {
  const options = pages.flatMap((page) => page.options).filter(({ takesValue }) => takesValue);
  const names = [...new Set(options.map(({ name }) => name))].filter((name) => completedValue(name) !== "files");
  return names.map((name) => `    ${name}) ${offer(completedValue(name))}; return ;;`).join("\n");
}

/** Files are bash's own to complete. */
function offer(kind: Completed): string {
  switch (kind) {
    case "sessions":
      return `_granary_offer < <(${sessionNames})`;
    case "notebooks":
      return `_granary_files .ipynb -f`;
    case "folders":
      return `_granary_files "" -d`;
    case "files":
      return ":";
    default:
      return `COMPREPLY=($(compgen -W "${kind.join(" ")}" -- "$current"))`;
  }
}

function optionNames(options: readonly HelpOption[]): string {
  return options.map(({ name }) => name).join(" ");
}
