export interface ComposeBashOptions {
  /** A shell snapshot that exists; null to read the user's login profile instead. */
  readonly snapshot: string | null;
  /** The folder to put first on PATH: the programs of the chosen Python's environment. */
  readonly venvBin: string | null;
}

/**
 * The arguments for `bash` that run a command as the user's own shell would. Python's `bash()` composes the same ones,
 * so that a command behaves the same in every tool.
 */
export function composeBash(command: string, { snapshot, venvBin }: ComposeBashOptions): readonly string[] {
  return [snapshot === null ? "-lc" : "-c", script, "bash", command, snapshot ?? "", venvBin ?? ""];
}

// Profiles and rc files often set PATH, so the environment's programs are put first only after them; as an argument,
// because those files may set VIRTUAL_ENV too. `eval` reads the command after the aliases are defined, and its
// `shift` leaves the command without positional parameters, as a plain `bash -c` would. All of it is one line,
// so that line numbers in bash's errors are those of the command.
const script = [
  'if [ -n "$2" ]; then shopt -s expand_aliases; . "$2"; fi',
  `if [ -n "$3" ]; then export PATH="$3:\${PATH#"$3:"}"; fi`,
  'eval "shift 3; $1"',
].join("; ");
