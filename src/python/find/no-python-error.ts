import { GranaryError } from "../../support/granary-error.ts";
import type { RejectedCandidate } from "../interpreter.ts";
import { isPythonName, managedFolder, type Search } from "./candidates.ts";

/** No usable Python; the message names the searched places, their problems, and the remedy. */
export function noPython(
  rejected: readonly RejectedCandidate[],
  search: Pick<Search, "explicit" | "home">,
): GranaryError<"no-python"> {
  const isExact = search.explicit !== undefined;
  const isBareName = isExact && !search.explicit.includes("/");
  const isWrapper = isBareName && !isPythonName(search.explicit);
  const where = isBareName ? `, and there is none of that name on PATH${isWrapper ? elsewhere : ""}` : "";
  const nowhere =
    isExact && rejected.length === 0 ? [`There is no ${search.explicit} on PATH${isWrapper ? elsewhere : ""}.`] : [];
  const problems = rejected.map(
    ({ path, problem }) => `${path} ${problem}${problem === "does not exist" ? where : ""}.`,
  );
  const sentences = isExact ? [...nowhere, ...problems, nameAnother] : [lookedAt(search), ...problems, createOne];
  return new GranaryError("no-python", sentences.join(" "), { details: { rejected } });
}

const elsewhere = " outside of the working folder";

function lookedAt({ home }: Pick<Search, "home">): string {
  const places = ["VIRTUAL_ENV", ".venv", "venv", "CONDA_PREFIX"].join(", ");
  const last = home === undefined ? " and PATH" : `, PATH and ${managedFolder(home)}`;
  return `No Python found. Looked at ${places}${last}.`;
}

const createOne = "Install Python 3.8 or newer, or create an environment with: python3 -m venv .venv";
const nameAnother = "Name the executable of a Python 3.8 or newer, or name none and let Granary look for one.";
