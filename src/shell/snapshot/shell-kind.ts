import { basename } from "node:path";

/**
 * How much of a shell bash can take over: of bash everything, of zsh PATH and exported variables, of any other (fish,
 * ksh, …) PATH.
 */
export type ShellKind = "bash" | "zsh" | "other";

export function shellKind(shell: string): ShellKind {
  const name = basename(shell);
  return name === "bash" || name === "zsh" ? name : "other";
}
