import type { CellError } from "./cell-verdict.ts";

/** The exit status that Python would end with after `sys.exit()`; null when something else was raised. */
export function exitStatusOf({ name, message }: Pick<CellError, "name" | "message">): number | null {
  if (name !== "SystemExit") return null;
  // The system keeps a byte of it.
  return isInteger(message) ? Number(BigInt.asUintN(8, BigInt(message))) : 1;
}

/** What Python prints of a `SystemExit`, in place of a traceback: a text that was given instead of a status. */
export function exitText(message: string): string {
  return isInteger(message) ? "" : message;
}

function isInteger(message: string): boolean {
  return /^-?\d+$/.test(message);
}
