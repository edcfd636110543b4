import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Interpreter } from "../../python/interpreter.ts";

/** Variables for commands, so that they find the packages that `%pip` added. */
export interface AddedPackages {
  readonly PYTHONPATH: string | undefined;
  /** Folders with their programs. */
  readonly programs: readonly string[];
}

/**
 * The packages that `%pip` put beside an environment that cannot be written, as `granary_runner/overlay.py` finds them for cells.
 * @param place the folder of a sandbox for them
 * @param own PYTHONPATH of the user, whose entries come first
 */
export function addedPackages(place: string, own: string | undefined, { facts }: Partial<Interpreter>): AddedPackages {
  const [, version] = /^(\d+\.\d+)/.exec(facts?.version ?? "") ?? [];
  if (version === undefined) return { PYTHONPATH: own, programs: [] };
  const python = `python${version}`;
  const folders = [`lib/${python}/site-packages`, `local/lib/${python}/dist-packages`, `lib/${python}/dist-packages`];
  const isThere = (names: readonly string[]) =>
    names.map((name) => join(place, name)).filter((path) => existsSync(path));
  const paths = [...(own ? [own] : []), ...isThere(folders)];
  const PYTHONPATH = paths.length === 0 ? own : paths.join(delimiter);
  return { PYTHONPATH, programs: isThere(programFolders) };
}

const programFolders = ["bin", "local/bin"];
