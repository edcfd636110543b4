import { GranaryError } from "../../support/granary-error.ts";
import type { ObjectText } from "../../support/json/object-text.ts";

/** Only nbformat 4 can be edited. A file that does not say its version is taken for 4 when it has cells. */
export function checkVersion(frame: ObjectText, name: string): void {
  const version = frame.get("nbformat");
  const isOld = (typeof version === "number" && version < 4) || (version === undefined && frame.has("worksheets"));
  if (isOld) {
    throw new GranaryError(
      "unsupported-version",
      `${name} is in nbformat ${version ?? "3 or older"}, and Granary edits nbformat 4. ` +
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
}
