export interface ComposeBashOptions {
  /** A shell snapshot that exists; null to read the user's login profile instead. */
  readonly snapshot: string | null;
  /** What to put first on PATH: the folder with the programs of the chosen Python's environment, or several. */
  readonly venvBin: string | null;
  /**
   * Whether descriptor 3 is a socket on which the shell, once it has read the profile, waits for a line and reports that the
   * command begins. Without that line, the host is gone, and the command does not begin.
   */
  readonly tellsBeginning?: boolean | undefined;
  /** A file with the command, where that is too long for an argument. */
  readonly commandFile?: string | undefined;
}

/**
 * The arguments for `bash` that run a command as the user's own shell would. Python's `bash()` composes the same ones,
 * so that a command behaves the same in every tool.
 */
export function composeBash(command: string, options: ComposeBashOptions): readonly string[] {
  const { snapshot, venvBin, commandFile, tellsBeginning = false } = options;
  const isLogin = snapshot === null;
  const beginning = tellsBeginning ? [tellBeginning] : [];
  const script = [...preparation, ...beginning, commandFile === undefined ? runArgument : runFile].join("; ");
  return [isLogin ? "-lc" : "-c", script, "bash", commandFile ?? command, snapshot ?? "", venvBin ?? ""];
}

// Profiles and rc files often set PATH, so the environment's programs are put first only after them; as an argument,
// because those files may set VIRTUAL_ENV too. `eval` reads the command after the aliases are defined, and its
// `shift` leaves the command without positional parameters, as a plain `bash -c` would. All of it is one line,
// so that line numbers in bash's errors are those of the command.
const preparation = [
  'if [ -n "$2" ]; then shopt -s expand_aliases; . "$2"; fi',
  `if [ -n "$3" ]; then export PATH="$3:\${PATH#"$3:"}"; fi`,
];
// A profile may have put something else on descriptor 3, or closed it.
const tellBeginning =
  "{ if builtin test -S /dev/fd/3; then builtin read -r _ <&3 || exit; fi; builtin printf . >&3; exec 3>&-; } 2>/dev/null";
const runArgument = 'eval "shift 3; $1"';
const runFile = 'eval "shift 3; $(<"$1")"';
