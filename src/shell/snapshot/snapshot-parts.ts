import { captureMark } from "./ask-shell.ts";
import { calledFunctions } from "./called-functions.ts";
import type { Portrait } from "./portrait.ts";
import type { VariableFilter } from "./snapshot-path.ts";

/**
 * The parts of a shell's snapshot, each a complete piece of bash. `inherited` is the
 * environment in which the shell was started.
 */
export function snapshotParts(
  portrait: Portrait,
  inherited: Readonly<Record<string, string | undefined>>,
  filter: VariableFilter,
): readonly string[] {
  const exported = [...portrait.variables].filter(
    ([name, value]) => isTheUsers(name) && inherited[name] !== value && filter.passes(name, value),
  );
  const aliases = [...portrait.aliases].filter(([name, value]) => !needed.has(name) && !asksBeforeItActs(name, value));
  const functions = calledFunctions(portrait.functions, portrait.aliases.values()).filter(
    ({ name }) => !needed.has(name),
  );
  // After the user's functions and aliases, `builtin` with a backslash is still the shell's own.
  return [
    ...(portrait.path === "" ? [] : [pathLines(portrait.path)]),
    ...exported.map(([name, value]) => `[ -n "\${${name}+set}" ] || export ${name}=${quoted(value)}`),
    // Without it, bash cannot parse functions that use such patterns.
    ...(functions.length > 0 ? ["shopt -s extglob"] : []),
    ...functions.map((one) =>
      one.exported ? `${one.definition}\n\\builtin export -f ${quoted(one.name)}` : one.definition,
    ),
    ...optionLines(portrait.options),
    // After the functions, whose definitions they would change.
    ...aliases.map(([name, value]) => `\\builtin alias -- ${quoted(`${name}=${value}`)}`),
  ];
}

/** Not taken from rc files: variables that the shell sets for itself, and those that choose a Python. */
const notTheUsers = new Set([
  ...["_", "PATH", "PWD", "OLDPWD", "SHLVL", "HOME", "SHELL", "USER", "LOGNAME", "TERM"],
  ...["PS1", "PROMPT_COMMAND", "BASH_ENV", "ENV", "PI_SHELL_SNAPSHOT", captureMark],
  ...["VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "PYTHONHOME"],
  ...["CONDA_PREFIX", "CONDA_DEFAULT_ENV", "CONDA_SHLVL", "CONDA_PROMPT_MODIFIER"],
]);

function isTheUsers(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !notTheUsers.has(name);
}

/** With `rm -i` and no one to answer, nothing would be removed, silently. */
function asksBeforeItActs(name: string, value: string): boolean {
  return ["rm", "cp", "mv", "ln"].includes(name) && /\s(-\w*[iI]\w*|--interactive\S*)(\s|$)/.test(value);
}

/** Names that the script after the snapshot uses must keep their meaning. */
const needed = new Set(["if", "then", "fi", "[", "builtin", "export", "eval", "shift"]);

/** Folders added to PATH since, such as by a cell, stay before the user's own. */
function pathLines(path: string): string {
  return `__granary_path() {
  local rest="$PATH:" own=${quoted(path)} added= folder
  while [ -n "$rest" ]; do
    folder=\${rest%%:*} rest=\${rest#*:}
    case ":$own:" in *":$folder:"*) ;; *) added="$added\${folder:+$folder:}" ;; esac
  done
  PATH="$added$own"
}
__granary_path
unset -f __granary_path`;
}

/**
 * The options that change what a command means. Options for typing and history have no effect on a command, and
 * `errexit`, `nounset`, `xtrace` and similar ones would make every command fail or print.
 */
const carried = {
  shopt: [
    ...["cdable_vars", "cdspell", "dotglob", "extglob", "failglob", "globasciiranges", "globskipdots", "globstar"],
    ...["lastpipe", "nocaseglob", "nocasematch", "nullglob", "patsub_replacement", "xpg_echo"],
  ],
  set: ["braceexpand", "noclobber", "physical", "pipefail"],
};

function optionLines(options: ReadonlyMap<string, boolean>): string[] {
  const known = (names: readonly string[]) => names.filter((name) => options.has(name));
  return [
    ...known(carried.shopt).map((name) => `\\builtin shopt ${options.get(name) ? "-s" : "-u"} ${name}`),
    ...known(carried.set).map((name) => `\\builtin set ${options.get(name) ? "-o" : "+o"} ${name}`),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
