import type { Stats } from "node:fs";
import { UsageError } from "../../command/usage-error.ts";

/** A command makes a file; another one is replaced only at the user's word, and a folder never. */
export function refuseExisting(
  found: Stats | null,
  name: string,
  { mayReplace, remedy }: { readonly mayReplace: boolean; readonly remedy: string },
): void {
  if (found === null) return;
  if (found.isDirectory()) throw new UsageError(`${name} is a folder. Name a file in it.`);
  if (!mayReplace) throw new UsageError(`${name} exists already. ${remedy}`);
}
