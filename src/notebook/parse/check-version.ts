import { basename } from "node:path";
import { GranaryError } from "../../support/granary-error.ts";
import type { ObjectText } from "../../support/json/object-text.ts";
import type { Notebook } from "../notebook.ts";

/**
 * Only nbformat 4 can be edited. A file without a version counts as 4 when it has cells.
 * @returns the version if it is older and can be upgraded, else null
 */
export function oldVersion(frame: ObjectText, name: string): number | null {
  const version = frame.get("nbformat");
  const isOld = (typeof version === "number" && version < 4) || (version === undefined && frame.has("worksheets"));
  if (isOld && (version === 2 || version === 3 || version === undefined)) return version ?? 3;
  if (isOld) {
    throw new GranaryError(
      "unsupported-version",
      `${name} is in nbformat ${version}, and Granary reads nbformat 2, 3 and 4. ` +
        "Upgrade it with: jupyter nbconvert --to notebook --inplace FILE",
      { details: { nbformat: version } },
    );
  }
  if (typeof version === "number" && version >= 5) {
    throw new GranaryError(
      "unsupported-version",
      `${name} is in nbformat ${version}, which is newer than this Granary: it edits nbformat 4. ` +
        "Save it as nbformat 4, or look for a newer Granary.",
      { details: { nbformat: version } },
    );
  }
  return null;
}

/** For callers that would change the file: a small edit must not rewrite every byte. */
export function refuseOldVersion({ upgradedFrom, origin }: Notebook): void {
  if (upgradedFrom === undefined) return;
  const path = origin?.path ?? "FILE";
  throw new GranaryError(
    "unsupported-version",
    `${basename(path)} is in nbformat ${upgradedFrom}, and Granary edits nbformat 4. Nothing was changed. ` +
      `Upgrade it with: granary notebook validate --upgrade ${path}`,
    { details: { nbformat: upgradedFrom, path } },
  );
}
