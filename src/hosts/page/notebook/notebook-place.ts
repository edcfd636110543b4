import { isAbsolute, join } from "node:path";
import { GranaryError } from "../../../support/granary-error.ts";

/** A notebook below the folder of a session. */
export interface NotebookPlace {
  readonly path: string;
  /** The folder that the file must be in whenever it is opened, wherever links lead. */
  readonly within: readonly string[];
}

/** @param named from the folder, as the browser sent it */
export function notebookPlace(folder: string, named: unknown): NotebookPlace {
  if (typeof named !== "string" || !named.endsWith(".ipynb") || named.includes("\0")) {
    throw new GranaryError("no-such-file", "The path of a notebook ends with .ipynb.");
  }
  if (isAbsolute(named) || named.split(/[\\/]/).includes("..")) {
    throw new GranaryError("outside-roots", `${named} is not below ${folder}, and no other folder is allowed.`);
  }
  return { path: join(folder, named), within: [folder] };
}
