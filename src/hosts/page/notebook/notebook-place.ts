import { isAbsolute, join } from "node:path";
import { GranaryError } from "../../../support/granary-error.ts";

/** A notebook below the folder of a session. */
export interface NotebookPlace {
  readonly path: string;
  /** The folders that the file must be in whenever it is opened, wherever links lead. */
  readonly within: readonly string[];
}

/** The path of a notebook in that folder. @param named from the folder, as the browser sent it */
export function notebookPath(folder: string, named: unknown): string {
  if (typeof named !== "string" || !named.endsWith(".ipynb") || named.includes("\0")) {
    throw new GranaryError("no-such-file", "The path of a notebook ends with .ipynb.");
  }
  if (isAbsolute(named) || named.split(/[\\/]/).includes("..")) {
    throw new GranaryError("outside-roots", `${named} is not below ${folder}, and no other folder is allowed.`);
  }
  return join(folder, named);
}
