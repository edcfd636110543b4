import type { ShellKind } from "./snapshot-path.ts";

/**
 * The script that a shell runs after its rc files: it describes itself on descriptor 3, in records `kind NUL content NUL`.
 * The last one is `end` with the given word, so that the reader need not wait for the shell to end.
 */
export function selfPortrait(kind: ShellKind, end: string): string {
  return portraits[kind](end);
}

// Builtins only, because PATH may be anything by now. The backslash bypasses an alias, and `builtin` a function of the
// user's, of the same name.
const tell = (kind: string, content: string) => `\\builtin printf '${kind}\\0%s\\0' ${content}`;

// Options first: the code below has to change them, so that a `set -e` of the user's does not end it half way.
const bash = (end: string) => `${tell("options", '"$(\\builtin shopt -p; \\builtin shopt -po)"')} >&3
\\builtin set +e +u +x +v +f
\\builtin trap - DEBUG ERR RETURN EXIT
IFS=$' \\t\\n'
{
  ${tell("path", '"$PATH"')}
  for __granary in $(\\builtin compgen -e); do
    ${tell("variable", `"$__granary=\${!__granary}"`)}
  done
  \\builtin declare -F | while \\builtin read -r __granary __granary_flags __granary; do
    \\builtin printf 'function\\0%s\\n' "$__granary_flags"
    \\builtin declare -f -- "$__granary"
    \\builtin printf '\\0'
  done
  \\builtin printf 'aliases\\0'
  \\builtin alias -p
  \\builtin printf '\\0'
  ${tell("end", end)}
} >&3`;

const zsh = (end: string) => `\\builtin emulate -R zsh
{
  ${tell("path", '"$PATH"')}
  for __granary in \${(k)parameters[(R)*export*]}; do
    ${tell("variable", `"$__granary=\${(P)__granary}"`)}
  done
  ${tell("end", end)}
} >&3`;

// Syntax that every other shell understands, including fish.
const other = (end: string) => `printf 'path\\0' >&3; printenv PATH >&3; printf '\\0end\\0%s\\0' ${end} >&3`;

const portraits: Record<ShellKind, (end: string) => string> = { bash, zsh, other };
