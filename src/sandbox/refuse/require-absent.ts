import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { systemReason } from "../../support/files/system-reason.ts";
import { GranaryError } from "../../support/granary-error.ts";
import { leadsInto, stepsOf } from "../leads-into.ts";
import { mountsOfThisProcess, otherNames } from "../mount-places.ts";

/** Links in a circle lead nowhere, as links to nothing do. */
const saysAbsent: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP"]);

/**
 * Throws unless the error of a look says that there is nothing. Code in a sandbox can take the rights to its folders from this user for a
 * while: a plan that took what it cannot see for absent would leave the secrets and hooks there without cover.
 * @param writable folders that such code can write. Elsewhere, such as in the home folder of another user, it cannot change rights
 */
export function requireAbsent(path: string, error: unknown, writable: readonly string[]): void {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (saysAbsent.has(code) || writable.length === 0) return;
  const others = otherNames(mountsOfThisProcess());
  if (!leadsInto([...writable, ...writable.flatMap(others)], path)) return;
  const place = code === "EACCES" ? closedPart(path) : path;
  if (code === "EACCES" && isOfAnotherUser(place)) return;
  const problem = `Granary cannot look into ${place}: ${systemReason(error)}.`;
  const why = "Code in a sandbox can write there, and something to hide or protect may be there, so nothing was done.";
  const remedy = code === "EACCES" ? `Give yourself the rights: chmod u+rwx ${place}` : "Repair or remove it.";
  throw new GranaryError("sandbox", `${problem} ${why} ${remedy}`, { cause: error });
}

/** Code of this user can neither enter such a folder nor have closed it. */
function isOfAnotherUser(place: string): boolean {
  try {
    return lstatSync(place).uid !== process.geteuid?.();
  } catch {
    return false;
  }
}

/** The folder that may not be entered; the path itself where that is not the reason, or no longer. */
function closedPart(path: string): string {
  const hidden = [...stepsOf(path)].find(isHidden);
  return hidden === undefined ? path : dirname(hidden);
}

function isHidden(path: string): boolean {
  try {
    lstatSync(path, { throwIfNoEntry: false });
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}
