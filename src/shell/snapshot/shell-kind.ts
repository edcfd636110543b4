import { basename } from "node:path";

/**
 * How much of a shell bash can take over: everything from bash, PATH and exported variables from zsh, PATH from any other
 * (fish, ksh, …).
 */
export type ShellKind = "bash" | "zsh" | "other";

export function shellKind(shell: string): ShellKind {
  const name = basename(shell);
  return name === "bash" || name === "zsh" ? name : "other";
}
