import type { Look } from "./block.ts";

/** The line above a cell of another client. */
export function ranBy({ theme }: Pick<Look, "theme">, by: string, details: string): string {
  return `${theme.accent(by)} ${theme.muted(details)}`;
}
